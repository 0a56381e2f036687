"""Words of working life: English forms, and what Chinese calls the same thing."""

from __future__ import annotations

# One concept a line. Only what is the same thing may share a line: a word that tells one
# fact from another (staging, production) needs a line of its own.
WORK = """
use, using, used, go with, stick to, work with | 使用 采用 用 选用 沿用
meeting, meet, met | 会议 开会 会面 碰头会
call, phone call | 电话 通话 打电话
standup, stand-up, daily scrum | 站会 早会 晨会
retrospective, retro | 复盘 回顾会
one-on-one, 1:1, one on one | 一对一 单独谈
interview | 面试 采访
demo, presentation, present | 演示 演示会
slides, deck, slide | 幻灯片 汇报材料 演示文稿
report, reporting | 报告 报表 汇报
weekly report | 周报
monthly report | 月报
daily report | 日报
review, reviewed, code review, reviewing | 评审 审查 审核 代码审查 代码评审 审阅
reviewer | 评审人 审核人
approve, approval, sign off, sign-off | 批准 审批 同意 签字 通过
pull request, pr, prs, merge request, mr | 合并请求 拉取请求
merge, merging, merged | 合并
commit, committing, commits | 提交
commit message | 提交信息 提交说明 提交日志
branch, branches | 分支
rebase | 变基
squash | 压缩合并
release, ship, shipping, launch, go live, rollout, roll out | 发布 上线 发版 推出
deploy, deployment, deploying | 部署
rollback, roll back, revert | 回滚 回退 撤回
build, compile | 构建 编译
test, tests, testing | 测试
unit test | 单元测试 单测
integration test | 集成测试
coverage | 覆盖率 覆盖
lint, linting, linter | 静态检查
format, formatting | 格式 格式化
formatter | 格式化工具
bug, defect | 缺陷 漏洞
ticket, ticketing, issue, issues | 工单 问题单
upload, uploads | 上传
download, downloads | 下载
changelog, change log, release notes | 更新日志 变更日志 发布说明
fix, fixed, repair, mend | 修复 修好 修理
enable, enabled, turn on, switch on, activate | 打开 开启 启用
disable, disabled, turn off, switch off, deactivate | 关闭 关掉 禁用 停用
error | 错误 报错
log, logs, logging | 日志
monitor, monitoring | 监控
alert, alarm | 报警 告警 警报
server, servers | 服务器
service | 服务
machine | 机器
laptop, notebook computer | 笔记本电脑 笔记本
computer, desktop, pc | 电脑 台式机
database, db, datastore, data store | 数据库
cache, caching | 缓存
queue | 队列
table | 表格
column | 字段
index, indexes | 索引
migration, migrate, migrating | 迁移
schema | 表结构 模式
backup, back up, backups, backing up, backed up | 备份
restore | 恢复 还原
storage, store, stored | 存储 储存 存放 存
file, files | 文件
folder, directory, directories | 文件夹 目录
document, documentation, docs, doc | 文档 资料
readme | 说明文件
note, notes | 笔记
comment, comments | 注释 评论
code | 代码
code base, codebase, source code | 代码库 源码
repository, repo, repos | 仓库
monorepo | 单体仓库 单仓
module, package, library | 模块
package manager | 包管理器 包管理工具 包管理
dependency, dependencies, deps | 依赖
version | 版本
api, interface | 接口
endpoint | 端点
port | 端口
host, hosting, hosted | 托管 主机
domain, domain name | 域名
url, link | 链接 网址
website, site, web site | 网站 官网
homepage, home page, landing page | 首页 主页
page | 页面
app, application | 应用 应用程序
mobile app | 手机应用 移动端
frontend, front end, front-end | 前端
backend, back end, back-end, server side | 后端
dashboard | 仪表盘 看板
user interface, ui | 界面
button | 按钮
theme | 主题
dark, dark mode, dark theme | 深色 暗色 黑暗 深色模式 暗黑模式
light, light mode, light theme | 浅色 亮色 浅色模式
font | 字体
style | 风格 样式
design | 设计
designer | 设计师
prototype, mockup | 原型
component | 组件
function, functions | 函数
class, classes |
variable | 变量
type, typing, types | 类型
type hint, type annotation | 类型注解 类型标注
configuration, config, settings, setting, configure | 配置 设置
environment, env | 环境
staging | 预发 预发布 预发环境 测试环境
production, prod, live system | 生产 生产环境 线上 正式环境
local, locally | 本地
password, passwords | 密码
password manager | 密码管理器
key, keys | 密钥 钥匙
secret, secrets, credential, credentials | 机密 凭证 敏感信息
token, tokens | 令牌
account | 账号 帐号 账户
login, log in, sign in, logon | 登录 登陆
authentication, auth | 认证 鉴权
permission, access, access right | 权限 访问权限
encrypt, encryption | 加密
timeout, time out | 超时 超时时间
retry, retries | 重试
limit, cap, maximum, max, at most, no more than, up to | 上限 最多 最大 限制 不超过 至多
minimum, min, at least | 至少 最少 下限 不低于
default, defaults | 默认 缺省
language | 语言
framework | 框架
editor, ide | 编辑器
terminal, shell | 终端
browser | 浏览器
script, scripts | 脚本
command | 命令
tool, tools | 工具
line, lines |
tab, tabs | 制表符
space, spaces, blank | 空格
indent, indentation | 缩进
semicolon, semicolons | 分号
quote, quotes, quotation mark | 引号
single |
double |
line length, line width | 行宽 行长
emoji, emojis | 表情符号 表情
bullet, bullet point, bullet points, list | 列表 要点 清单
summary, summarise, summarize | 摘要 总结 概要
answer, reply, respond, response, responses, replies | 回答 回复 答复 回应
question | 问题
explain, explanation | 解释 说明
example | 例子 示例
detail, details, detailed | 细节 详细
short, brief, concise, terse, succinct, to the point | 简短 简洁 简明 精简
long, lengthy | 冗长
email, e-mail, mail, emails | 邮件 电子邮件 邮箱
message, messages, text message | 消息 信息 短信
chat, chat group | 聊天 群聊
notify, notification, let know, inform, ping | 通知 告知 提醒
ask, check with, confirm with | 询问 请示
confirm, confirmation | 确认
plan, planning | 计划 规划
timetable | 日程 排期
deadline, due, due date | 截止 截止日期 期限 到期
submit, hand in, turn in, file, filed | 上交 递交
project, projects | 项目
client, customer, customers, clients | 客户 顾客
supplier, vendor | 供应商
partner | 合作伙伴 合伙人
team | 团队 小组
company, firm, employer | 公司 单位
office | 办公室 公司里
department | 部门
colleague, coworker, teammate | 同事
boss, manager, supervisor, line manager | 老板 领导 经理 上司 主管
owner, owns, own, responsible, in charge, takes care, handles | 负责 负责人
lead, leads, head, leader, led | 带头 组长 带领
director | 总监
assistant | 助理 助手
engineer, developer, programmer, dev | 工程师 开发者 程序员 开发人员 开发
product manager, pm | 产品经理
accountant, bookkeeper | 会计
accounting, bookkeeping | 记账 账务
lawyer, attorney, solicitor | 律师
consultant, adviser, advisor | 顾问
intern | 实习生
freelancer, freelance | 自由职业 自由职业者
tester, qa | 测试人员 测试工程师
operations, ops | 运维
sales | 销售
marketing | 市场 营销
finance | 财务
hr, human resources | 人事 人力资源
contract, contracts | 合同
agreement | 协议
offer, quote price, quotation | 报价
invoice, invoices, bill, bills, billing, invoicing | 发票 账单 开票
payment, pay, paid, paying, pays | 付款 支付
expense, expenses, reimbursement | 报销 报销单 费用 开销
budget | 预算
price, cost, costs | 价格 成本 花费
salary, wage, pay cheque, payroll | 工资 薪水 薪资
tax, taxes | 税 报税 税务
revenue, turnover | 收入 营收
currency | 货币
receipt, receipts | 收据 小票
order, orders | 订单 订购
purchase, buy, bought | 购买 采购
delivery, deliver, delivered | 交付 交货 送货
stock, inventory | 库存
warehouse | 仓库房 库房
shop, store front | 商店 门店
newsletter | 通讯 简报
blog, blog post | 博客
article, post, posts | 文章
paper | 论文
thesis, dissertation | 毕业论文 学位论文
experiment | 实验
dataset, data set | 数据集
data | 数据
model | 模型
training, train, trained | 训练 培训
chart, graph, plot, figure, diagram | 图表 图
number | 数字 号码
citation, reference, references | 引用 参考文献
translate, translation | 翻译
draft | 草稿 初稿
spelling | 拼写
grammar | 语法
title, headline | 标题
template | 模板
job, work, working | 工作 干活 上班
task, to-do, todo | 任务 待办
priority | 优先级 优先
goal, target | 目标
sprint, iteration | 迭代 冲刺
roadmap | 路线图
feature | 功能
requirement | 需求
feedback | 反馈
on call, on-call, oncall | 值班
incident, outage | 故障 事故
holiday, vacation, leave, time off, day off, annual leave | 假期 休假 放假 请假 年假
remote, remotely, from home, home office | 远程 居家 在家办公
shift | 轮班 班次
overtime | 加班
"""
