//! The words by which Chinese sentences are known; `;` stands between two.

pub(super) const LEAD_INS: &str = "\
    请; 麻烦; 另外; 还有; 对了; 好的; 好; 嗯; 谢谢; 多谢; 不对; 不是; 顺便说一下; 顺便; ok; okay; 总之; 注意; 提醒一下; 很好; 没错; 可以; 你好; 哦; 那; \
    请你; 拜托";

pub(super) const QUESTION_SIGNS: &str = "\
    是不是; 有没有; 能不能; 可不可以; 要不要; 为什么; 怎么; 什么时候; 哪里; 哪个; 还记得; 记不记得; 是否; 如何";

pub(super) const FOR_NOW: &str = "\
    这次; 暂时; 先不; 目前; 现在先; 这个文件; 这个函数; 这个测试; 这一行; 这里; 今天先; 待会; 等一下; 刚才; 刚刚; 这个分支; 这一步; 本次";

pub(super) const REMEMBER_PREFACES: &str = "\
    你要; 你需要; 你得; 帮我; 我希望你; 以后要; 一定要; 务必";

pub(super) const REMEMBER: &str = "\
    记住; 记一下; 记下来; 记得; 牢记; 别忘了; 不要忘了; 不要忘记; 别忘记; 记到记忆里; 保存到记忆; 存到记忆里; 加到记忆里; 写进记忆";

pub(super) const COMPLAINTS: &str = "\
    报错; 失败; 崩溃; 出错; 卡住; 超时; 以后再说; 以后再看";

pub(super) const FROM_NOW_ON: &str = "\
    从现在起; 从现在开始; 从今以后; 以后; 今后; 往后; 之后都; 默认";

pub(super) const ORDER_SIGNS: &str = "\
    都; 请; 不要; 别; 用; 要; 先; 只; 必须; 写; 再";

pub(super) const ALWAYS: &str = "\
    总是; 永远; 始终; 一律; 必须; 务必; 一定要; 每次都; 绝对不要; 绝不; 千万不要; 千万别; 永远不要";

pub(super) const SCOPES: &str = "\
    每次; 每当; 凡是; 只要; 提交前; 提交之前; 推送前; 写代码时; 写测试时; 回答时; 回复时; 代码里; 代码中; 注释里; 注释; 提交信息; 在这个项目里; 在这个仓库里; 这个项目; \
    本项目";

pub(super) const SCOPED_ORDERS: &str = "\
    都要; 都用; 必须; 不要; 别; 先; 请; 总是; 一律; 用中文; 用英文; 要用; 禁止";

pub(super) const BANS: &str = "\
    不要再; 别再; 不许; 禁止; 不要用; 别用; 不要使用; 不要在; 别在; 不要写; 别写; 不要加; 别加; 不要添加; 避免";

pub(super) const PREFERENCES: &str = "\
    我更喜欢; 我喜欢用; 我喜欢你; 我习惯用; 我习惯; 我偏好; 我比较喜欢; 我不喜欢; 我讨厌; 我倾向于; 我一般用; 我一直用; 我只用; 我从不用; 我从来不用; 我们用; 我们统一用; \
    我们只用; 我们不用; 我希望你以后; 我希望你总是; 我希望你不要; 继续保持";

pub(super) const ROLES: &str = "\
    工程师; 开发; 程序员; 架构师; 设计师; 经理; 学生; 研究员; 研究生; 博士; 分析师; 科学家; 运维; 负责人; 测试; 老师; 教师; 顾问; 实习生; 新手; 创始人; 总监; \
    产品; 医生; 律师; 维护者; 站长; 组长; 主管; 专家";

pub(super) const PERSON_OPENINGS: &str = "\
    我叫; 我的名字是; 叫我; 你可以叫我; 我的时区是; 我的母语是; 我的职位是; 我的工作是; 我主要负责; 我负责; 我住在; 我刚开始学; 我刚接触; 我没用过; 我没学过; 我不会; 我色盲; \
    我是色盲";

pub(super) const SYSTEMS: &str = "\
    linear; jira; notion; confluence; slack; grafana; datadog; sentry; figma; 飞书; 钉钉; 语雀; 企业微信; 腾讯文档; 石墨; \
    禅道; gitlab; github; 看板; wiki; http://; https://; teambition; coding; tapd; kibana; 普罗米修斯; prometheus; \
    云效";

pub(super) const THINGS: &str = "\
    bug; 缺陷; 任务; 工单; 文档; 设计稿; 监控; 日志; 告警; 需求; 看板; 排班; 值班表; 复盘; 路线图; 接口文档; 密钥; 会议纪要; 报表; 数据; 手册; 面板; 问题";

pub(super) const LOCATIONS: &str = "\
    都在; 放在; 记录在; 在; 写在; 存在; 跟踪; 管理; 地址是; 位于";

pub(super) const NOT_A_PLACE: &str = "\
    帮我; 去; 打开; 查一下; 看一下; 挂了; 坏了; 报错; 不在; 正在; 我在";

pub(super) const PLANS: &str = "\
    截止; 上线; 发布; 冻结; 封版; 交付; 演示; 迁移; 切换; 下线; 停服; 割接; 评审; 验收; 休假; 值班; 放假; 到期; 入职; 离职; 接手; 开始; 结束; 启动; 提测";

pub(super) const PAST_EVENTS: &str = "\
    昨天; 上周; 上个月; 了一个; 已经; 失败; 报错; 刚; 日志";
