"""Languages, places, days and colours: English forms, and the Chinese ones."""

from __future__ import annotations

# One concept a line, as in the words of work.
WORLD = """
english | 英文 英语
chinese, mandarin | 中文 汉语 普通话
simplified, simplified chinese | 简体 简体中文 简体字
traditional, traditional chinese | 繁体 繁体中文 繁体字
cantonese | 粤语 广东话
german | 德语 德文
french | 法语 法文
spanish | 西班牙语
italian | 意大利语
japanese | 日语 日文
korean | 韩语 韩文
russian | 俄语
portuguese | 葡萄牙语
british english, british spelling | 英式英语 英式
american english, american spelling | 美式英语 美式
beijing | 北京
shanghai | 上海
shenzhen | 深圳
guangzhou | 广州
hangzhou | 杭州
chengdu | 成都
nanjing | 南京
wuhan | 武汉
suzhou | 苏州
xiamen | 厦门
hong kong | 香港
taipei | 台北
singapore | 新加坡
tokyo | 东京
berlin | 柏林
munich | 慕尼黑
hamburg | 汉堡
frankfurt | 法兰克福
london | 伦敦
paris | 巴黎
dublin | 都柏林
amsterdam | 阿姆斯特丹
vienna | 维也纳
zurich | 苏黎世
lisbon | 里斯本
madrid | 马德里
barcelona | 巴塞罗那
rome | 罗马
new york | 纽约
san francisco | 旧金山
seattle | 西雅图
sydney | 悉尼
toronto | 多伦多
wechat | 微信
alipay | 支付宝
dingtalk | 钉钉
feishu, lark | 飞书
monday, mondays, mon | 周一 每周一 星期一 每星期一 礼拜一
tuesday, tuesdays, tue, tues | 周二 每周二 星期二 每星期二 礼拜二
wednesday, wednesdays, wed | 周三 每周三 星期三 每星期三 礼拜三
thursday, thursdays, thu, thurs | 周四 每周四 星期四 每星期四 礼拜四
friday, fridays, fri | 周五 每周五 星期五 每星期五 礼拜五
saturday, saturdays | 周六 每周六 星期六 每星期六 礼拜六
sunday, sundays | 周日 每周日 周天 星期日 星期天 礼拜天
weekend, weekends | 周末
weekday, weekdays, working day, workday, business day | 工作日
day |
week | 星期 礼拜
month | 个月
year |
morning, mornings | 早上 上午 早晨 清晨
noon, midday | 中午 正午
afternoon, afternoons | 下午
evening, evenings | 晚上 傍晚
night, nights, nightly, at night | 夜里 夜间 半夜 深夜
midnight | 午夜 零点
daily, every day, each day, a day, per day | 每天 每日 天天
weekly, every week, each week, a week, per week | 每周 每星期
fortnightly, biweekly, every two weeks, every other week | 每两周 隔周 双周
monthly, every month, each month, a month, per month | 每月 每个月
quarterly, every quarter | 每季度 季度
yearly, annual, annually, every year, a year, per year | 每年 年度
hourly, every hour | 每小时
red | 红 红色
blue | 蓝 蓝色
green | 绿 绿色
yellow | 黄 黄色
black | 黑 黑色
white | 白 白色
grey, gray | 灰 灰色
orange | 橙色 橘色
purple | 紫色 紫
pink | 粉色 粉红
"""
