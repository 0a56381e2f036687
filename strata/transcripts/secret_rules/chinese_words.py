"""Whether Chinese words after "the password is" are a pass phrase or go on talking."""

from __future__ import annotations

import re

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_TALKS_AT_START = re.compile(
    r"密码|口令|什么|甚么|啥|多少|哪|怎|几|谁|否|不|没|未|无|错|对的|正确|必|空|由|存|放|在|以|加|我|你|您|他|"
    r"她|它|咱|大家|自己|自动|系统|默认|随机|明文|密文|加密|一样|一个|一种|一串|相同|同|旧|之前|原|需要|可以|可能|"
    r"应该|有|为|干|指|至少|至多|最|很|太|非常|弱|强|通过|对|被|把|从|跟|和|与|或|及|要|请|发|见|看|找|问|"
    r"稍|暂|待|另|保密|机密|敏感|重要|关键|安全|用户|管理|客户|必填|选填|可选|统一|唯一|固定|动态|临时|"
    r"过期|失效|有效|泄|改|换|忘|记|还|又|已|都|也|就|只|仅|按|根据|如|上面|下面|这|那|本|该|此|其|所有|"
    r"每|任何|全部|多个|长度|短信|简单|复杂|容易|新的?$|老的?$|老样子|老规矩|是|否|的|了"
)
_TALKS_INSIDE = re.compile(
    r"信息|隐私|防线|字段|参数|选项|必填|可选|数字|字母|组合|字符|生日|格式|错误|正确|默认|随机|加密|明文|"
    r"哈希|散列|编码|保密|强度|过期|失效|管理器|生成|设置|修改|重置|忘记|问题|唯一|一样|相同|一致|为空|"
    r"什么|怎么|多少|哪里|哪个|不要|不能|不会|没有|存储|保存|存在|放在|写在|贴在|泄露|拼音|名字|手机号|"
    r"电话|身份证|后六位|后四位|前六位|长度|大小写|特殊|规则|策略|机制|方式|方案|概念|意思|一部分|之一"
)
_TALKS_AT_END = re.compile(r"(?:[的了吗呢么过着里]|一下|之一|而已|起来|出来)\Z")


def is_chinese_phrase(phrase: str) -> bool:
    """Say whether *phrase* is what somebody says at a door, not a remark about it."""
    return (
        len(phrase) > 1
        and _CHINESE.search(phrase) is not None
        and not _TALKS_AT_START.match(phrase)
        and not _TALKS_INSIDE.search(phrase)
        and not _TALKS_AT_END.search(phrase)
    )
