"""Words of daily life: English forms, and what Chinese calls the same thing."""

from __future__ import annotations

# One concept a line, as in the words of work.
LIFE = """
live, lives, living, based, reside | 住 居住 定居 住在
move house, moved house, relocate, relocated | 搬家 搬
born, birth | 出生
birthday | 生日
age, years old | 年龄
name, named, called, goes by | 名字 名叫 称呼 命名
nickname | 外号 昵称
wife | 妻子 老婆 太太 爱人
husband | 丈夫 老公
girlfriend | 女朋友 女友
boyfriend | 男朋友 男友
son | 儿子
daughter | 女儿 闺女
child, children, kid, kids | 孩子 小孩 娃
baby | 宝宝 婴儿
mother, mum, mom | 妈妈 母亲 妈 我妈
father, dad | 爸爸 父亲 爸 我爸
parents | 父母 爸妈 家长
brother | 兄弟 弟弟 哥哥
sister | 姐妹 妹妹 姐姐
grandmother, grandma, nan | 奶奶 外婆 姥姥
grandfather, grandpa | 爷爷 外公 姥爷
family | 家人 家庭
friend | 朋友
neighbour, neighbor | 邻居
landlord, landlady | 房东
tenant | 租客
doctor, gp, physician | 医生 大夫
dentist | 牙医 牙科
nurse | 护士
teacher | 老师 教师
professor, supervisor of thesis | 教授 导师
student | 学生
coach, trainer | 教练
vet, veterinarian | 兽医
hairdresser, barber | 理发师
plumber | 水管工
cat | 猫
dog | 狗
pet | 宠物
home, house, flat, apartment | 房子 公寓 家里
rent | 房租 租金
kitchen | 厨房
garden | 花园 院子
balcony | 阳台
room | 房间
car | 汽车 开车
bicycle, bike, cycle, cycling | 自行车 骑车 骑行
train | 火车 高铁
bus | 公交 公交车 大巴
metro, subway, underground, tube | 地铁
plane, flight, fly, flights | 飞机 航班 飞
airport | 机场
hotel | 酒店 宾馆
seat | 座位 座
aisle, aisle seat | 过道 靠过道
window, window seat | 靠窗 窗户
ticket price | 票价
travel, trip, journey | 旅行 出差 旅游 行程
passport | 护照
visa | 签证
food, eat, eating, ate | 吃 食物 饮食
drink, drinking | 喝 饮
breakfast | 早餐 早饭
lunch | 午餐 午饭
dinner, supper | 晚餐 晚饭
restaurant | 餐厅 饭店 餐馆
recipe | 菜谱 食谱
meat | 肉 荤
beef | 牛肉
pork | 猪肉
chicken | 鸡肉
fish | 鱼
seafood | 海鲜
shellfish | 贝类 甲壳类
shrimp, prawn, prawns, shrimps | 虾
egg, eggs | 鸡蛋 蛋
milk, dairy | 牛奶 奶 乳制品
lactose | 乳糖
cheese | 奶酪 芝士
bread | 面包
rice | 米饭 大米
noodles | 面条
gluten | 麸质
vegetable, vegetables | 蔬菜
vegetarian, veggie | 素食 吃素 素食者
vegan | 纯素 全素
fruit | 水果
nut, nuts | 坚果
peanut, peanuts | 花生
coriander, cilantro | 香菜
garlic | 大蒜 蒜
onion, onions | 洋葱
spicy, chilli, chili, hot food | 辣 辣椒
sugar, sweetened | 糖
salt | 盐
tea | 茶
coffee | 咖啡
oat milk | 燕麦奶
decaf | 低因
beer | 啤酒
wine | 葡萄酒 红酒
alcohol | 酒精
water |
allergic, allergy, allergies | 过敏
medicine, medication, pill, pills, drug | 药 药物 吃药
penicillin | 青霉素
ibuprofen | 布洛芬
antibiotic, antibiotics | 抗生素
hospital | 医院
clinic, practice | 诊所
appointment | 预约
surgery, operation | 手术
pain |
knee | 膝盖
back, spine | 腰 背
tooth, teeth | 牙 牙齿
eye, eyes | 眼睛
blood pressure | 血压
blood type | 血型
diabetes, diabetic | 糖尿病
asthma | 哮喘
insurance | 保险
sport, exercise, workout, work out | 运动 锻炼
gym | 健身 健身房
running, run, jog, jogging | 跑步
marathon | 马拉松
swim, swimming | 游泳
yoga | 瑜伽
football, soccer | 足球
basketball | 篮球
badminton | 羽毛球
tennis | 网球
climbing, climb, bouldering | 攀岩
hike, hiking | 徒步 爬山
ski, skiing | 滑雪
chess | 国际象棋 象棋
piano | 钢琴
guitar | 吉他
violin | 小提琴
choir, sing, singing | 合唱 合唱团 唱歌
music | 音乐
song |
film, movie | 电影
book |
novel | 小说
read, reading | 阅读
learn, study, studying | 学习
lesson, course, class lesson | 课 课程
exam | 考试
school | 学校 上学
kindergarten, nursery, daycare | 幼儿园
university, college | 大学
pick up, collect, fetch | 取
drop off | 送去 送到
bank | 银行
money |
cash | 现金
card, credit card | 信用卡
savings, save money | 储蓄 存钱
mortgage, loan | 房贷 贷款
electricity, power | 电费
gas | 燃气 煤气
internet, broadband, wifi | 网络 宽带 上网
phone, telephone, mobile | 手机
phone number, telephone number | 手机号 电话号码
address | 地址
postcode, zip code, postal code | 邮编
door | 门
gate | 大门
parking | 停车 停车位
rubbish, bin, bins, trash, garbage | 垃圾
parcel, package delivery | 包裹 快递
photo, photos, picture, pictures, image, images | 照片 图片
video, videos | 视频
camera | 相机
sleep, asleep | 睡 睡觉
wake up, get up, wake | 起床 醒
early | 早点
late | 晚点
quiet | 安静
disturb, interrupt, bother | 打扰
weather | 天气
rain | 下雨 雨
temperature | 温度 气温
metric | 公制
imperial | 英制
celsius | 摄氏
fahrenheit | 华氏
kilometre, kilometer, km | 公里 千米
mile, miles | 英里
kilogram, kg, kilo | 公斤 千克
wedding, marry, married | 结婚 婚礼 已婚
party | 聚会 派对
gift, present gift | 礼物
dress code | 着装
shoe, shoes | 鞋
size | 尺码 大小 号码大小
left | 左边
right hand | 右边
surname, last name, family name | 姓氏
formal, formally | 正式
informal, informally, casual, casually | 随意 口语 非正式
polite, politely | 礼貌 客气
"""
