//! The words by which Chinese sentences are known; `;` stands between two.

use crate::rules::phrases::Phrases;

/// A message without a phrase of one of these asks for nothing.
pub(in crate::rules) static CUES: [&Phrases; 37] = [
    &REMEMBER,
    &FORGET,
    &FORGET_ENDS,
    &REMINDERS,
    &FROM_NOW_ON,
    &ALWAYS,
    &SCOPES,
    &BANS,
    &PREFERENCES,
    &USE,
    &MANNER_OBJECTS,
    &LIKE_THIS,
    &CONFIRMED,
    &ROLE_OPENINGS,
    &PERSON_OPENINGS,
    &PRACTICE,
    &SKILLS,
    &TOOL_OPENINGS,
    &WORKPLACES,
    &SYSTEMS,
    &FIRMLY,
    &FORBIDDEN,
    &GUARDS,
    &ON_YOUR_OWN,
    &OWNED,
    &WORK_OPENINGS,
    &TRADES,
    &PRACTISED,
    &STATES,
    &WHY,
    &PRAISED,
    &SAVED_BEFORE,
    &DECISIONS,
    &INCIDENTS,
    &PLANS,
    &TAILS,
    &TONGUES,
];

pub(super) static TONGUES: Phrases = Phrases::of("母语");
pub(super) static LEAD_INS: Phrases = Phrases::of(
    "\
    请; 麻烦; 另外; 还有; 对了; 好的; 好; 嗯; 谢谢; 多谢; 不对; 不是; 顺便说一下; 顺便说下; 顺便说; 顺便; 顺带一提; ok; okay; 总之; 注意; 提醒一下; 提醒你一下; 很好; \
    没错; 可以; 你好; 哦; 那; 请你; 拜托; 说明一下哈; 说明一下; 说一下; 先说一下; 补充一下; 补充一点; 补充; 背景; 背景是; 介绍一下; 自我介绍一下; 再说一点; 再补充一点; 还有一点; \
    还有一件事; 最后; 首先; 对; 是的; 行; 嗯嗯; 辛苦了; 太好了; 完美; 就是这样; 顺便提一下; 告诉你一下; 跟你说一下; 跟你说下; 跟你说; 其实; 话说; 哈; 吧; 啊; 呀; 啦; 同步一下; 同步个信息; 备注; 备注一下; 供参考; 仅供参考; 帮忙; 麻烦你; 反正; \
    btw; fyi; 你知道的; 如你所知; 不错; 挺好; 可以的; 通知一下; 通知; 还是那句话; 再强调一下; 强调一下; 重要; 统一一下; 定个规矩; 约定一下; 停，; 停！; 停一下，; stop，; 说了多少次了; 说了多少遍了; 说过多少次了; 说过多少遍了; 说了好几次了; 说了好几遍了; 我们定了，; 定了，; 已经定了，; 老板定了; 领导定了; 上面定了; 上头定了; 说好了; 先说好; 提前说一下; 另外说一下; 另外提醒一下",
);
pub(super) static QUESTION_SIGNS: Phrases = Phrases::of(
    "\
    是不是; 有没有; 能不能; 可不可以; 要不要; 为什么; 为啥; 怎么; 什么时候; 哪里; 哪个; 哪些; 还记得; 记不记得; 是否; 如何; 会不会; 对不对; 好不好; 啥意思; 什么意思; 谁; 几点; 多少; 咋; 还有几; 多久; 多长; 几号; 第几; 是啥; 来着",
);
pub(super) static ONE_OFF: Phrases = Phrases::of(
    "\
    这次; 暂时; 先不; 先别; 目前; 现在先; 这个文件; 这个函数; 这个测试; 这一行; 这行; 这里; 今天先; 待会; 等一下; 等我改; 等我看; 等我回; 等我先; 等我想; 等我这边; 等我一下; 等我测; 等我弄; 等我写; 刚才; 刚刚; 这个分支; 这一步; 本次; 这一次; 今天就; 临时; 这个按钮; \
    这个接口; 这个页面; 这个组件; 这个方法; 这个类; 这个脚本; 这回; 眼下; 当前; 别管; 不用管; 别急; 不急; 别跑了; 不用跑了; 别改了; 不用改了; 不用写了; 别弄了; 别动了; 今天搞; 今天弄; 今天做; 今天之内; 今天内; 今晚",
);
pub(super) static FOR_THE_MOMENT: Phrases = Phrases::of(
    "暂时; 刚才; 刚刚; 待会; 等一下; 正在; 快点; 赶紧; 马上; 今天必须; 今天内; 今晚; 今天搞; 今天弄; 今天做",
);
pub(super) static REPORTS: Phrases = Phrases::of(
    "说; 写着; 告诉; 觉得; 问; 认为; 建议; 如果; 假如; 假设; 写的; 留了; 提到; 要求; 规定; 写一; 生成; 翻译; 提示词; 文案",
);
pub(super) static HYPOTHESES: Phrases =
    Phrases::of("假设; 假如; 如果; 要是; 万一; 比如; 例如; 假装; 就当; 当我是");
pub(super) static ORDER_OPENINGS: Phrases = Phrases::of(
    "\
    帮; 写; 把; 给; 看; 查; 改; 加; 跑; 在; 修; 删; 实现; 生成; 打开; 新建; 创建; 去; 做; 画; 算; 列; 设; 让; 将; 调; 更新; 继续; 整理; 分析; 优化",
);
pub(super) static AT_HAND: Phrases = Phrases::of(
    "这个; 那个; 它; 这样; 这么; 这里; 那里; 这行; 这段; 这封; 一下; 这句; 这些; 那些; 这张; 上面; 下面; 这份; 那段; 第一个; 第二个; 这条; 那条",
);

pub(super) static FORGET_PREFACES: Phrases =
    Phrases::of("你可以; 帮我; 把; 请把; 你把; 帮我把; 麻烦把; 可以; 你可以把; 给我");
pub(super) static FORGET: Phrases = Phrases::of(
    "忘掉; 忘记; 忘了; 删掉关于; 删除关于; 不用再记得; 不用记得; 不用再记; 不用记; 不要再记; 别再记; 别记; 不必记; 不必再记; 无需记; 清除关于; 清掉关于; 删掉你记的; 删除你记的; 删掉之前记的; 删除之前记的; 删掉记忆里; 删除记忆里; 从记忆里删掉; 从记忆里删除; 从记忆中删除; 从记忆中删掉; 从你的记忆里删掉",
);
pub(super) static SAID_BEFORE: Phrases = Phrases::of(
    "我之前说的; 我说过的; 我说的; 我之前说过的; 之前说的; 我以前说的; 我上次说的; 我之前提的; 我之前跟你说的; 我跟你说的; 我告诉你的; 我之前让你记的; 关于; 之前关于; 之前记的; 之前那条; 我之前关于",
);
pub(super) static FORGET_OBJECTS: Phrases = Phrases::of(
    "我; 之前; 那条; 那个规则; 那个规矩; 关于; 你记; 以前; 上次; 旧的; 我的; 记忆; 原来; 刚才; 这条; 这个规则; 有关",
);
pub(super) static FORGET_ENDS: Phrases = Phrases::of(
    "\
    忘掉; 忘了吧; 忘记吧; 忘记掉; 从记忆里删; 从记忆中删; 从记忆里去掉; 从记忆里移除; 从记忆里清; 从记忆中移除; 从你的记忆里; 从你记忆里; 的记忆删; 那条记忆删; 这条记忆删; 记忆删掉; 记忆删了; 记忆去掉; 记忆清掉; \
    不用记了; 别记了; 不用再记了; 不必记了; 不需要记了; 不用记着了; 那条记忆; 这条记忆; 作废; 那条删了; 那条删掉; 那条去掉; 那条记录删; 那条规则删; 不用再记着; 别再记着",
);
pub(super) static MEMORY_SIGNS: Phrases = Phrases::of(
    "记忆; 记的; 那条; 这件事; 这事; 让你记; 规则; 规矩; 偏好; 我说的; 不用记; 别记; 不用再记; 要求; 说过; 告诉你; 习惯",
);
pub(super) static NOT_FORGOTTEN: Phrases =
    Phrases::of("用户; 密码; 函数; 接口; 缓存; 老是; 总是; 经常");

pub(super) static REMEMBER_PREFACES: Phrases = Phrases::of(
    "你要; 你需要; 你得; 帮我; 我希望你; 以后要; 一定要; 务必; 请你; 麻烦你; 你; 麻烦; 请帮我; 给我; 千万; 请务必; 也; 再",
);
pub(super) static REMEMBER: Phrases = Phrases::of(
    "\
    记住; 记一下; 记下; 记下来; 记得; 牢记; 别忘了; 不要忘了; 不要忘记; 别忘记; 记到记忆里; 保存到记忆; 存到记忆里; 加到记忆里; 写进记忆; 记着; 记录一下; 记好; 记好了; 请记; 切记; 谨记; 记个事; 记一条; 记一笔; 记下一条; 存一下; 备忘; 长期记住; 永久记住; \
    记忆里加一条; 加一条记忆; 新增一条记忆; 存一条记忆; remember 一下; remember一下; mark 一下; mark一下; note 一下; note一下",
);
pub(super) static PARTICLES: Phrases =
    Phrases::of("了; 啊; 哦; 哈; 一点; 一件事; 这点; 这件事; 这一点; 一条");
pub(super) static REMINDERS: Phrases = Phrases::of(
    "\
    记住这点; 记住这一点; 记住这个; 记住; 记住了; 记一下; 记下来; 记住哈; 记好了; 记一下这个; 记下这点; 别忘了; 不要忘了; 别忘记; 牢记; 帮我记住; 帮我记一下; 记住这条; 记住这件事; 你记一下; 你记住; 记到记忆里; 存到记忆里; 记在心里; 记着点; 记着; 写进记忆; 请记住; 记录一下; 记下; 你要记住; 帮我记下来; 切记; 要记住; 记得; 记牢; 你记下; 记住这些",
);
pub(super) static LASTING: Phrases =
    Phrases::of("每次; 以后; 总是; 都要; 永远; 不要; 必须; 一律; 都用; 今后; 始终; 任何; 所有");
pub(super) static RECOLLECTIONS: Phrases = Phrases::of("上次; 那次; 那天; 以前我们; 当时");
pub(super) static TASK_REMINDERS: Phrases =
    Phrases::of("别忘了; 不要忘了; 记得; 不要忘记; 别忘记; 记着; 千万记得");
pub(super) static TASK_VERBS: Phrases = Phrases::of(
    "加; 跑; 提交; 更新; 检查; 改; 写; 删; 测试; 把; 推; 运行; 补; 同步; 修; 保存; 重启; 导; 顺便; 也; 先; 一起; 带; 处理; 合并; 部署; 清; 给; 换; 关; 开; 在; 用; 看; 重新; 备份; 拉; 发; 格式化",
);

pub(super) static COMPLAINTS: Phrases = Phrases::of(
    "报错; 失败; 崩溃; 出错; 卡住; 超时; 以后再说; 以后再看; 返回; 跑不; 没法; 白屏; 打不开; 挂; 丢失; 不记得; 不生效; 消失",
);
/// Put off, not asked for: "以后有空再说".
pub(super) static DEFERRED: Phrases = Phrases::of(
    "再说吧; 再说; 有空再; 有时间再; 有机会再; 有需要再; 需要了再; 需要的话再; 再看情况",
);
/// Once this is done, not whenever something is.
pub(super) static AFTER_THIS: Phrases = Phrases::of(
    "写完记得; 写完告诉; 写完叫; 写完发; 改完记得; 改完告诉; 改完叫; 改完先; 改完发; 改完要; 写完要; 跑完要; 弄完; 跑完告诉; 跑完叫",
);
pub(super) static WHOEVER: Phrases = Phrases::of("谁; 什么时候; 哪个");
/// Rules for what the agent writes are no reports.
pub(super) static YOURS: Phrases = Phrases::of(
    "你写的; 你生成的; 你写; 你生成; 你给我写; 你给我生成; 你改; 生成的东西; 生成的内容; 写的东西; 你输出的",
);
pub(super) static GUARDS: Phrases =
    Phrases::of("不要动; 别动; 不许动; 不要改; 别改; 不许改; 不能动; 不准动; 别碰; 不要碰; 不许碰");
pub(super) static UNDER: Phrases = Phrases::of("里的; 下的; 目录; 文件夹; 里面; 下面的; 底下");
pub(super) static ON_YOUR_OWN: Phrases = Phrases::of(
    "\
    不许自己; 不准自己; 不要自己猜; 别自己猜; 不要自己决定; 别自己决定; 不要自己提交; 别自己提交; 不要自己合; 别自己合; 不要自己推; 别自己推; 不要自己 merge; 别自己 merge; 不要自己 push; 别自己 push; 不要自己发; 别自己发; 不许擅自; 不要擅自; 别擅自; 不准擅自; 不能擅自; 不得擅自; 不许随便; 不要随便; 别随便; 等我发话; 经我同意; 别再问我; 不要再问我; 要告诉我; 要跟我说; 要先跟我; 要先问我; 得先问我; 必须先问我; 要通知我; 不用再问我; 不用问我; 不必问我; 不用跟我确认; 不用我确认; 别来问我",
);
pub(super) static OTHER_PEOPLE: Phrases =
    Phrases::of("他; 她; 让我; 叫我; 说; 告诉; 如果; 假如; 要是; 别人; 领导; 老板");
/// At the end of an order, it makes it one for all time.
pub(super) static FOREVER: Phrases = Phrases::of(
    "永远; 任何时候; 任何时候都是; 没有例外; 无一例外; 每次都是; 每次; 一直; 长期; 全项目都这样; 都这样",
);
pub(super) static WORK_OPENINGS: Phrases = Phrases::of(
    "给我; 回我; 回答我; 回复我; 写代码; 写测试; 写文档; 写注释; 写接口; 写 sql; 提交代码; 解释; 讲; 评审; 命名; 你写; 你回; 你给; 你解释; 你讲; 你提交; 你改; 做评审; 我贴; 我发; 我问; 我给你; 我让你",
);
pub(super) static THIS_HABIT: Phrases =
    Phrases::of("这个习惯; 这个做法; 这种做法; 这点; 这一点; 这个思路");
pub(super) static PRAISED: Phrases =
    Phrases::of("挺好; 很好; 不错; 很棒; 真好; 我喜欢; 我很喜欢; 非常好; 太好了");
pub(super) static TRADES: Phrases = Phrases::of(
    "我是学; 我是做; 我是搞; 我是写; 我是教; 我是干; 本人是学; 本人是做; 我以前是做; 我之前是做; 我原来是做",
);
pub(super) static PRACTISED: Phrases = Phrases::of("写了; 做了; 干了; 搞了; 学了; 教了");
/// Said of themselves in full.
pub(super) static STATES: Phrases = Phrases::of(
    "我英语不好; 我英文不好; 我英语一般; 我英文一般; 我英语不行; 我英文不行; 我色盲; 我色弱; 我是色盲; 我是色弱; 我红绿色盲; 我红绿色弱; 我左撇子; 我是左撇子; 我刚毕业; 我刚入职; 我是转行的; 我听力不好; 我视力不好; 我不会编程; 我不懂代码; 我不写代码",
);
pub(super) static CHOSEN: Phrases = Phrases::of("选用; 选了; 没选; 不选; 改用; 弃用");
pub(super) static WHY: Phrases = Phrases::of("是因为; 是为了; 是考虑到");
pub(super) static NOT_TRADES: Phrases = Phrases::of("了; 在; 完; 再; 好; 过; 到");
pub(super) static NOT_PRACTISED: Phrases = Phrases::of("年的; 还是; 还没; 崩; 挂; 终于; 才");
/// What makes praise of one answer a wish for the next.
pub(super) static GOES_ON: Phrases = Phrases::of("以后; 继续; 保持; 每次; 都这; 先; 下次");
pub(super) static OWNED: Phrases = Phrases::of(
    "是我在维护; 是我维护; 是我负责; 是我在负责; 归我管; 归我负责; 由我负责; 由我维护; 是我管的; 都是我维护; 都归我",
);
pub(super) static GROUNDS: Phrases = Phrases::of("因为; 由于; 为了; 鉴于");
pub(super) static SAVED_BEFORE: Phrases = Phrases::of(
    "之前存的; 之前记的; 之前保存的; 之前记住的; 之前让你记的; 你存的; 你记的; 你保存的; 你记住的; 以前存的; 以前记的; 上次存的; 上次记的; 记忆里的",
);
pub(super) static KNOWLEDGE: Phrases =
    Phrases::of("信息; 偏好; 规则; 习惯; 要求; 约定; 那条; 说法; 规矩; 喜好; 记忆");
pub(super) static DELETED: Phrases = Phrases::of("删掉; 删了; 删除; 清掉; 去掉; 移除; 清除; 抹掉");
pub(super) static LOOKED_UP: Phrases = Phrases::of("看; 就看; 都看; 去; 都去; 到; 都到; 上; 找");
pub(super) static FAILURES: Phrases =
    Phrases::of("跑不; 报错; 失败; 打不开; 崩; 起不来; 装不上; 不行; 连不上; 编不过; 我来");
pub(super) static SMALL_DECISIONS: Phrases = Phrases::of(
    "加个; 加一个; 改个; 换个; 按钮; 弹窗; 方案一; 方案二; 方案三; 方案a; 方案b; 方案 a; 方案 b; 不再支持的; 今天",
);
pub(super) static FROM_NOW_ON: Phrases = Phrases::of(
    "\
    从现在起; 从现在开始; 从今以后; 从今往后; 从今天起; 从今天开始; 以后; 今后; 往后; 之后都; 默认; 以后每次; 日后; 将来; 下次; 下回; 接下来都; 后面都; 后续都; 后续; 以后凡是; 原则上; 一般情况下; 长期; 从这次起; 从此",
);
pub(super) static FORECASTS: Phrases = Phrases::of(
    "缀; 会; 可能; 再; 就; 还能; 还会; 怎么; 我会; 我再; 我们再; 我们会; 用户; 系统; 页面; 能; 想; 要是; 我想; 我要; 我来; 值; 参数; 是; 我自己; 数据",
);
pub(super) static ORDER_SIGNS: Phrases = Phrases::of(
    "都; 请; 不要; 别; 用; 要; 先; 只; 必须; 写; 再; 不用; 不许; 禁止; 一律; 统一; 尽量; 优先; 少; 多; 直接; 给我; 问我; 按; 就行; 就好; 即可; 说重点; 注意; 记得; 标上; 带上",
);
pub(super) static ALWAYS: Phrases = Phrases::of(
    "总是; 永远; 始终; 一律; 必须; 务必; 一定要; 每次都; 绝对不要; 绝不; 千万不要; 千万别; 永远不要; 永远别; 绝对不能; 绝对别; 切勿; 任何时候都; 任何情况下都; 统一用; 统一使用; 统一; 请勿; 严禁; 一定不要; 一定别; 你永远不要; 你永远别; 你一定要; 你必须; 你务必; 你千万别; 你绝对不要",
);
pub(super) static SCOPES: Phrases = Phrases::of(
    "\
    每次; 每当; 凡是; 只要; 给我的; 给客户的; 给我看的; 发给我的; 对外的; 提交前; 提交之前; 提交代码前; 提交代码之前; 推送前; 推送之前; 推代码前; 写代码时; 写代码的时候; 写测试时; 写测试的时候; 回答时; 回答的时候; 回答问题时; 回复时; 回复我; 回答我; 跟我说话; 跟我交流; 和我交流; 与我交流; 跟我沟通; 和我沟通; 写单元测试; 写单测; 写测试; 写接口; 写前端; 写后端; 写脚本; 写页面; 代码里; 代码中; 注释里; 注释; 提交信息; commit message; commit 信息; commit 之前; commit之前; commit 前; commit前; push 之前; push之前; push 前; push前; 集成测试; 单元测试; 端到端测试; 在这个项目里; 在这个仓库里; 在这个项目中; 这个项目; 这个仓库; 我们项目; 我们仓库; 咱们项目; 咱们; \
    本项目; 遇到; 改完代码; 改代码前; 改代码之前; 动手前; 动手之前; 改动前; 重构前; 重构之前; 合并前; 合并之前; 部署前; 部署之前; 上线前; 写完代码; 写完; 所有; 任何; 新代码; 新写的; 新加的; 加依赖; 引入新依赖; 装新依赖; 加新依赖; 涉及; 碰到; 不确定; 拿不准; 不会就; 不知道就; 不懂就; 不清楚就; 改数据库; 改表结构; 写 sql; 写sql; 写文档; 写文档时; 写注释; 写注释时; 变量名; 变量命名; 函数名; 命名; 分支名; 测试名; 单测; 测试里; 测试用例; 日志里; 错误信息; 报错信息; 接口返回; 金额; 时间; 文档; pr; pr 描述; 代码评审; review; 每个; 每写; 每改; 每加; 每一次; 回复; 回答; 解释; 解释的时候; 示例代码; 删除文件前; 删文件前; 删东西前; 大改之前; 执行危险; 跑危险; 执行命令前",
);
pub(super) static SCOPED_ORDERS: Phrases = Phrases::of(
    "都要; 都用; 必须; 不要; 别; 先; 请; 总是; 一律; 用中文; 用英文; 要用; 禁止; 都得; 务必; 统一; 不许; 不准; 尽量; 只用; 不能用; 都写; 都加; 都带; 都把; 都给; 列给我; 告诉我; 给我; 同步; 一定; 都不; 都先; 不得; 应该用; 要写; 简短; 简洁; 不超过; 控制在; 以内; 按; 问我; 不用; 就选; 选最; 就问; 就停; 说不; 直说; 直接说; 说一声; 问",
);
pub(super) static BANS: Phrases = Phrases::of(
    "\
    不要再; 别再; 不许; 不准; 禁止; 不要用; 别用; 不要使用; 不要在; 别在; 不要写; 别写; 不要加; 别加; 不要添加; 避免; 不要每次; 别每次; 别老是; 别老; 别总是; 别总; 不要老是; 不要老; 不要总是; 不要总; 不用每次; 别动不动; 不要动不动; 不需要每次; 请勿; 切勿; 少用; 少写; 不要随便; 别随便; 不要擅自; 别擅自; 不要自作主张; 别自作主张; 不要偷偷; 别偷偷; 不要私自; 不要未经; 没经过我; 没问过我; 未经我; 不要乱; 别乱; 不要直接往; 不要直接推; 别直接往; 别直接推; 不要一上来; 别一上来; 不要道歉; 别道歉; 不要引入; 别引入; 不要推荐; 别推荐; 不要建议; 别建议; 不要夸; 别夸; 不要编造; 别编造; 不要猜; 别猜; 别瞎; 不要瞎; 不要用力过猛; 不要过度",
);
pub(super) static FIRMLY: Phrases =
    Phrases::of("一律; 统一用; 统一使用; 必须用; 必须使用; 都要用; 禁止使用; 永远用; 只能用");
/// As firm, but said of programs as often as of work.
pub(super) static FORBIDDEN: Phrases =
    Phrases::of("务必; 严禁; 绝不能; 绝对不能; 千万不要; 千万别");
pub(super) static PREFERENCES: Phrases = Phrases::of(
    "\
    我更喜欢; 我喜欢用; 我喜欢你; 我喜欢先; 我喜欢; 我习惯用; 我习惯; 我偏好; 我偏向; 我更偏向; 我比较喜欢; 我不喜欢; 我不太喜欢; 我很不喜欢; 我讨厌; 我最讨厌; 我最烦; 我受不了; 我倾向于; 我更倾向; 我一般用; 我一直用; 我只用; 我从不用; 我从来不用; 我们用; 我们统一用; 我们只用; 我们不用; 我们组不用; 我们团队不用; 我们这边不用; 我们组统一; 我们组一律; 我们组从来不; 我们团队一律; 我们从来不; 我们一直; 我们一律; 我们统一; 我们约定; 我们规定; 我们团队约定; 我们团队规定; 团队约定; 团队规定; 团队规范; 约定; \
    我希望你以后; 我希望你总是; 我希望你不要; 我希望你; 我希望以后; 希望你以后; 希望你; 希望以后; 继续保持; 我宁愿你; 我宁可你; 我想要你每次; 我要求你; 我不希望你; 不希望你; 我看不惯; 我更习惯; 我比较习惯; 我不想再看到; 我不想看到; 不想再看到; 我不想再在",
);
pub(super) static PICKS: Phrases = Phrases::of(
    "第一; 第二; 第三; 这个; 那个; 方案; 它; 这种; 后者; 前者; 新的; 布局; 配色; 界面; 哪; 帮我; 一下; 看看; 能; 现在",
);
pub(super) static INSTEAD: Phrases = Phrases::of("不用; 而不是; 不是; 统一; 只用");
pub(super) static USE: Phrases =
    Phrases::of("用; 请用; 使用; 统一用; 优先用; 优先使用; 直接用; 都用; 全程用; 跟我用; 和我用");
pub(super) static SPEAKING: Phrases =
    Phrases::of("回答; 回复; 写注释; 写提交信息; 交流; 沟通; 说话; 写文档; 跟我说");
pub(super) static LANGUAGES: Phrases =
    Phrases::of("中文; 英文; 简体; 繁体; 英语; 汉语; 粤语; 日语; 日文");
pub(super) static MANNER_OBJECTS: Phrases = Phrases::of(
    "回答; 回复; 说话; 讲话; 措辞; 解释; 注释; 提交信息; 代码; 函数; 命名; 变量名; 总结; 提交; commit; pr; 说明; 话; 改动; 每次改动; 每次提交; 语气; 你的回答; 你的回复; 答案; 文档",
);
pub(super) static MANNERS: Phrases = Phrases::of(
    "尽量; 要尽量; 简短; 简洁; 短一点; 短点; 要简短; 要简洁; 保持; 要保持; 少; 不要太; 别太; 精简; 直接; 请尽量; 越短越好; 控制在; 统一; 一律; 都要; 都用; 必须; 不要; 别; 应该尽量; 粒度; 要小",
);
pub(super) static LIKE_THIS: Phrases = Phrases::of(
    "以后都这样; 以后就这样; 以后都按这个来; 以后都这么; 以后就这么; 以后都按; 以后就按; 以后照这个; 以后照这样; 以后一直这样; 以后也这样; 以后也这么; 继续保持; 以后继续这样; 以后继续; 以后也按; 以后保持; 就保持这样; 往后都这样; 今后都这样; 今后也这样; 以后还这么; 以后还这样; 每次都这样; 每次都这么; 一直这样就好; 下次也这样; 下次也这么; 保持下去; 这是规矩; 这是我们的规矩; 这是我们组的规矩; 这是组里的规矩; 这是团队规矩; 这是团队的规矩; 这是我们的约定; 这是惯例; 这是我们的规范; 这是团队规范; 这是原则; 这是铁律; 养成习惯; 养成这个习惯; 长期有效; 以后都注意; 以后注意; 以后都照; 今后都照",
);
pub(super) static CONFIRMED: Phrases = Phrases::of(
    "\
    这个做法很好; 的做法很好; 这种做法很好; 这样做很好; 这么做很好; 做得对; 做得很对; 做得很好; 这个决定是对的; 的决定是对的; 是对的做法; 正合我意; 这个思路很好; 的思路很好; 这个习惯很好; 的习惯很好; 这个方式很好; 的方式很好; 这点很好; 这一点很好; 这点做得; 的做法不错; 这个做法不错; 的方式不错; 这个方式不错; 效果很好; 这个选择很对; 这样很好; 很合我意; 是正确的选择; 是个好主意; 这步很对; 这种方式很好; 这种方式不错; 的做法我很喜欢; 这个做法我很喜欢; 这点我很喜欢; 这种写法很好; 这种写法我喜欢; 的做法我喜欢; 路子是对的; 思路是对的; 做法是对的; 做法对; 路子对; 的路子很好; 这个思路对",
);
pub(super) static TAILS: Phrases = Phrases::of(
    "以后; 今后; 从现在; 往后; 从今; 记住; 请记住; 记一下; 下次; 从今天起; 千万别; 千万不要; 以后每次; 帮我记; 顺便记一下; 顺便记住; 永远不要; 永远别; 你永远; 绝对不要; 绝不要",
);
pub(super) static ORDERS: Phrases = Phrases::of(
    "不要; 别; 必须; 都要; 都用; 应该; 一律; 禁止; 先问; 尽量; 不能; 优先; 统一; 只用; 不许; 要用; 要先; 用中文; 用英文; 要写; 得先; 不准; 只从",
);

pub(super) static ROLE_OPENINGS: Phrases = Phrases::of(
    "\
    我是一名; 我是一个; 我是个; 我是; 我现在是; 我目前是; 我本职是; 我的职业是; 我在公司是; 我主业是; 我本身是; 我其实是; 我也是; 我只是; 我只是个; 我原来是; 我以前是; 我之前是; 本人是; 本人; 我不是; 我算是; 我做的是; 我的身份是; 我在团队里是; 我在组里是; 我这边是; 我还是; 我还是个; 我作为; 我当",
);
pub(super) static ROLES: Phrases = Phrases::of(
    "\
    工程师; 开发; 程序员; 架构师; 设计师; 经理; 学生; 研究员; 研究生; 博士; 硕士; 分析师; 科学家; 运维; 负责人; 测试; 老师; 教师; 顾问; 实习生; 新手; 创始人; 总监; 产品; 医生; 律师; 维护者; 站长; 组长; \
    主管; 专家; 出身; 科班; 初学者; 小白; 转行; 大一; 大二; 大三; 大四; 研一; 研二; 研三; 应届; 专业; 前端; 后端; 全栈; 算法; 数据; 嵌入式; 客户端; 安全; 会计; 护士; 记者; 编辑; 教授; 自由职业; 独立开发; 技术; 外行; 业余; 爱好者; 左撇子; 色盲; 色弱; 运营; 销售; 财务; 法务; 美工; 翻译; 法官; 公务员; dba; sre; pm; cto; ceo; 店主; 老板; 的人; 菜鸟; 主程; 策划; 人事; hr; 文科生; 理科生; 退休; 全职",
);
pub(super) static NOT_ROLES: Phrases = Phrases::of(
    "想; 说; 觉得; 怕; 不是; 这个; 那个; 第; 问; 指; 按; 在用; 用的; 从; 要; 数据库; 测试了; 测试一下; 环境; 先; 把; 看; 用 ; 没; 完; 再",
);
pub(super) static PERSON_OPENINGS: Phrases = Phrases::of(
    "\
    我叫; 我的名字是; 我名字叫; 叫我; 你可以叫我; 可以叫我; 我的时区是; 我的时区; 我的母语是; 我的母语; 我的职位是; 我的工作是; 我的岗位是; 我主要负责; 我负责; 我住在; 我刚开始学; 我刚接触; 我刚学; 我没用过; 我没学过; 我没写过; 我没接触过; 我从没用过; 我从来没用过; 我从没写过; 我从来没写过; 我第一次用; 我第一次写; 我第一次接触; 我不会写; 我不会用; 我色盲; 我是色盲; 我有阅读障; 我有听力障; 我有视力障; 我有多动; 我有 ad; 我有色; 我红绿色; 我红绿色盲; 我有红绿色盲; \
    我人在; 我来自; 我老家; 我目前住; 我现在住; 我坐标; 坐标; 我平时用; 我平时写; 我平时主要; 我主要写; 我主要用; 我主要做; 我用的是; 我日常用; 我日常写; 我英语不好; 我英文不好; 我英语一般; 我英文一般; 我最喜欢的; 我最熟悉的; 我最擅长; 我擅长; 我精通; 我不擅长; 我对; 我的专业是; 我学的是; 我大学学的; 我博士读; 我硕士读; 我本科读; 我本科学; 我大学读; 我研究生读; 我博士学; 我去年转; 我去年才转; 我做的是; 我的爱好; 我的电脑是; 我的电脑; 我的开发机; 我的编辑器; 我的系统是; 我这边是; 我们组负责; 我们团队负责; 我带; 我管; 我在学; 我正在学; 我还在学; 我刚入职; 我刚转; 我转行; 我刚毕业; 我毕业于; 我听力; 我视力; 我左撇子; 我不吃; 我过敏; 我姓; 我今年; 我的生日; 我的网名; 我的昵称; 我的 github; 我的称呼; 我的代词; 我一个人创; 我一个人开发; 我一个人维护; 我看不懂; 我只会; 我只懂",
);
pub(super) static VAGUE_PERSON: Phrases = Phrases::of(
    "这个; 那个; 它; 你; 什么; 这段; 这里; 报错; 问题; 错误; 这行; 这块代码; 不管; 分支; 这些; 今天; 现在先; 了一下; 一下; 接口; 返回; 刚才; 这次; 有疑问; 有意见; 没意见; 这种; 很满意; 不满意; 结果; 怀疑",
);
pub(super) static PRACTICE: Phrases =
    Phrases::of("写; 用; 做; 干; 搞; 学; 教; 工作; 从业; 开发; 经验; 入行; 编程");
pub(super) static YEARS: Phrases = Phrases::of(
    "年了; 年多; 多年; 年经验; 十年; 几年; 两年; 三年; 四年; 五年; 六年; 七年; 八年; 九年; 一年; 年的; 年 ; 年的经验; 年前端; 年后端; 年开发; 年java; 半年; 年半; 年",
);
pub(super) static NOT_YEARS: Phrases = Phrases::of(
    "去年; 今年; 明年; 年份; 年月; 每年; 年度; 年底; 年初; 后年; 年龄; 按年; 闰年; bug; 终于; 的日志; 的数据",
);
pub(super) static SKILLS: Phrases = Phrases::of(
    "很熟; 比较熟; 不熟; 不太熟; 很熟悉; 比较熟悉; 不熟悉; 不太熟悉; 零基础; 不太懂; 完全不懂; 不怎么懂; 不太会写; 不怎么会; 不太会; 一窍不通; 不是很懂; 不是很熟; 过敏; 刚开始学; 才开始学; 刚上手; 刚入门; 没什么经验; 没经验; 门外汉; 没有经验; 了如指掌; 倒背如流; 非常熟; 挺熟; 色盲; 半路出家; 是小白; 纯小白; 是新手; 纯新手; 基本不懂; 几乎不懂; 基本不会; 几乎不会; 是外行; 科班出身; 没基础; 有点陌生; 很陌生; 比较陌生",
);
pub(super) static TOOL_OPENINGS: Phrases = Phrases::of(
    "我习惯用; 我一直用; 我用; 我一般用; 我平时用; 我只用; 我都用; 我常用; 我喜欢用; 我在用; 我习惯在; 我平时在; 我主力是; 我主力机是; 我开发用; 我写代码用; 我写代码都用; 我的编辑器是; 我的主力; 我都是用; 我都是在",
);
pub(super) static PERSONAL_TOOLS: Phrases = Phrases::of(
    "vim; neovim; nvim; emacs; vscode; vs code; idea; intellij; pycharm; goland; webstorm; clion; helix; zed; sublime; zsh; fish; tmux; windows; linux; mac; macos; wsl; wsl2; ubuntu; arch; nixos; debian; fedora; macbook; 双拼; 五笔; iterm; kitty; 苹果电脑; 键盘; 鼠标; cursor; xcode; 屏幕阅读器; 读屏; 双屏; m1; m2; m3",
);
pub(super) static WORKPLACES: Phrases = Phrases::of(
    "工作; 上班; 读书; 任职; 公司做; 公司当; 公司; 大学; 医院; 学校; 事务所; 研究所; 研究院; 银行; 读研; 读博; 实习; 念书; 当老师; 做研究; 负责; 团队做; 部门",
);
pub(super) static WORKSPACES: Phrases =
    Phrases::of("工作目录; 工作区; 工作流; 工作树; 这个; 改; 本地; 看; 调; 跑; 写; 查");
pub(super) static PASSING: Phrases =
    Phrases::of("今天; 刚才; 刚刚; 暂时; 待会; 这次; 正在改; 等会; 现在在改; 一会儿");

pub(super) static SYSTEMS: Phrases = Phrases::of(
    "\
    linear; jira; notion; confluence; slack; grafana; datadog; sentry; figma; 飞书; 钉钉; 语雀; 企业微信; 企微; 微信群; 腾讯文档; 石墨; 石墨文档; 金山文档; 禅道; gitlab; github; 看板; wiki; http://; https://; teambition; coding; tapd; \
    kibana; 普罗米修斯; prometheus; 云效; 蓝湖; yapi; apifox; swagger; 墨刀; 即时设计; mastergo; axure; wandb; w&b; mlflow; tensorboard; looker; tableau; 阿里云; oss; 网盘; 坚果云; 百度网盘; 共享盘; 共享文件夹; 公司网盘; 多维表格; 知识库; 微盘; pingcode; worktile; ones; 邮件组; 堡垒机; sonarqube; jenkins; nacos; apollo; sls; cls; elk; 神策; 腾讯云; 华为云; 台账; sharepoint; onedrive; trello; miro; \
    zendesk; s3; 1password; vault; gitee; showdoc; postman; metabase; superset; pagerduty; bitwarden; airtable; asana; redmine; mantis; 群里; 群公告; 钉盘; 云盘; 内网; 共享表格; 在线表格; 在线文档; skywalking; zabbix; 夜莺; 观测云; 火山引擎; 友盟; 幕布; 印象笔记; 有道云; outline; gerrit; harbor; nexus; bugly; 值班群; 频道; google drive; google 文档; 公司 wiki; 用户群; 数据平台; 帆软; 工单系统; 门户",
);
pub(super) static THINGS: Phrases = Phrases::of(
    "\
    bug; 缺陷; 任务; 工单; 文档; 设计稿; 监控; 日志; 告警; 报警; 需求; 看板; 排班; 值班表; 复盘; 路线图; 接口; 密钥; 会议纪要; 报表; 数据; 手册; 面板; 问题; 报告; 压测; 合同; 原型; 大盘; 反馈; 投诉; 规范; 方案; 周报; 纪要; 清单; 账号; 密码; 用例; 埋点; 翻译; \
    素材; 证书; 值班; 发布记录; 故障; 事故; 排期; 计划; 模板; 资料; 图纸; 视频; 录像; 切图; 图标; 词条; 文案; 凭证; 凭据; 配置; 白皮书; 指标; 链路; 评审; 讨论; 通知; 公告; 变更; 申请; 审批; 知识; 教程; 脑图; 架构图; 流程图; 标注; 数据集; 模型; 实验; 备份; 安装包; 制品; 镜像; 日报; 预算; 发票; 简历; 培训; 入职; 术语表; 客诉; 崩溃; 地址; 记录; 说明; 决策; 决议; 待办; 流程; 样例; 样本; 报文; 预案; 曲线",
);
pub(super) static LOCATIONS: Phrases = Phrases::of(
    "都在; 放在; 记录在; 在; 写在; 存在; 跟踪; 管理; 地址是; 位于; 传到; 记在; 放到; 发到; 归档; 汇总在; 维护在; 登记在; 提到; 提在; 上传; 存放; 托管; 同步到; 沉淀在; 走; 集中在; 统一放; 建在; 推到; 贴在; 保存在; 是 http; 是http; 用; 报到; 记到; 地址：; 地址:",
);
pub(super) static ADDRESSED: Phrases = Phrases::of("地址是; 地址：; 地址:; 链接是; 链接：; 链接:");
pub(super) static NOT_A_PLACE: Phrases = Phrases::of(
    "帮我; 去; 打开; 查一下; 看一下; 挂了; 坏了; 不在; 正在; 我在; 现在; 存在问题; 打不开; 登不上; 看下; 看看; 怎么; 不见; 丢了; 同步失败; 接入; 对接; 调用; 不存在; 找不到; 没有; 看不到; 查不到; 一下; 好像; 不对",
);

pub(super) static DECISIONS: Phrases = Phrases::of(
    "\
    开会决定; 会上决定; 会议决定; 我们决定; 团队决定; 大家决定; 公司决定; 领导决定; 老板决定; 组里决定; 评审会决定; 例会决定; 周会决定; 已经决定; 最终决定; 最后决定; 决定了; 会上定了; 开会定了; 我们定了; 商量好; 商定; 敲定; 拍板; 评审通过了; 一致同意; 达成一致; 甲方要求; 客户要求; 老板要求; 领导要求; 法务要求; 合规要求; 监管要求; \
    安全部门要求; 安全部要求; 安全团队要求; 审计要求; 财务要求; 运营要求; 产品要求; 公司要求; 公司规定; 业主要求; 集团要求; 总部要求; 合同要求; 合同规定; 等保要求; 工信部要求; 银行要求; 合作方要求; 我们不做; 砍掉; 我们改用; 我们不上; 我们暂停; 我们放弃; 团队放弃; 不打算再支持; 不再支持; 决定不; 决定用; 决定把; 决定采用; 选型定了; 已经定了; 讨论决定; 讨论后决定; 是因为合规; 是因为法务; 是为了合规; 是因为客户; 是为了应付审计; 是因为等保; 是因为监管; 法务不同意; 法务不让; 安全不让; 老板不让; 老板拍板",
);
pub(super) static INCIDENTS: Phrases =
    Phrases::of("事故; 故障; 宕机; 数据丢失; 泄露; 删库; 挂过; 出过问题; 被攻击; 丢过数据; 翻车");
pub(super) static CONSEQUENCES: Phrases =
    Phrases::of("之后; 以后; 从那以后; 所以; 才; 从此; 打那以后; 自那; 因此; 自从");
pub(super) static SEASONS: Phrases = Phrases::of(
    "年底; 年初; 月底; 月初; 季度; q1; q2; q3; q4; 双十一; 双11; 11.11; 618; 双十二; 国庆; 春节; 元旦; 五一; 中秋; 下个迭代; 下个版本; 下个月; 下周; 明年; 后年; 暑假; 寒假; 过年; 年后; 年前; 周五; 周一; 周二; 周三; 周四; 周末; 明天; 后天; 月中",
);
pub(super) static PLANS: Phrases = Phrases::of(
    "\
    截止; 上线; 发布; 冻结; 封版; 交付; 演示; 迁移; 切换; 下线; 停服; 割接; 评审; 验收; 休假; 值班; 放假; 到期; 入职; 离职; 接手; 接管; 开始; 结束; 启动; 提测; 完成; 替换; 不再; 转去; 交接; 停止; 涨价; 改版; 灰度; 公测; 内测; 封网; 为主; 请假; 出差; 搬到; 搬家; 换成; 生效; 开服; 年假; 产假; 退役; 关停; 切到; 迁到; 升级到; 合并到; 汇报; 答辩; 中期检查; 审计; 大促; 停更; 下架; 上架; 开学; 发版; 关闭; 停用; 废弃; 签约; 续约; 投产; 试运行; 拆分; 汇演; 开幕; 路演; 陪产假; 调岗; 转岗; 考试; 封闭开发; 渗透测试; 演练; 搬机房; 盘点; 断网; 维护窗口; 提审; 谈合同; 合同; 续签",
);
pub(super) static PAST_EVENTS: Phrases = Phrases::of(
    "昨天; 上周; 上个月; 了一个; 失败; 报错; 刚; 日志; 崩溃; 字段; 函数; 按钮; 变量; 参数; 组件; 脚本; 测试用例; 定时任务; 帮我; 为空; 页面; 标红; 弹窗; 列表; 测试里; 用例里; 横幅; 设成; 设为; 改成; 改为; 数据里; 写死; 显示错; 算错; 错了",
);
