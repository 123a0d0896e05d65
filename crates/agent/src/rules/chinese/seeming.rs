//! Sentences that only sound like a wish: mockery, how a program shall behave, the task at hand.

use super::{pieces, without_lead_in};
use crate::rules::phrases::Phrases;

/// Whether it is said to mean the opposite.
pub(super) fn is_mockery(plain: &str) -> bool {
    let last = plain.trim_end_matches(['。', '！', '.', '!', ' ']);
    MOCKERY.opens(plain) || MOCKING_ENDS.iter().any(|end| last.ends_with(end))
}

/// Whether a later piece says what to do about it now: "…，加个唯一索引", "…，改一下".
pub(super) fn is_a_task(clause: &str) -> bool {
    let whenever = WHENEVER.opens(clause);
    pieces(clause).skip(1).any(|(piece, _)| {
        let piece = without_lead_in(piece.trim_end_matches(['。', '！', ' ']));
        let for_me = piece.contains("帮我") && !piece.contains("帮我记");
        let shortly = piece.ends_with("一下") && !piece.contains('我');
        TASKS.opens(piece) || ADDITIONS.opens(piece) && !whenever || for_me || shortly
    })
}

/// Whether it tells how a program shall behave and not how to work on it.
pub(super) fn is_of_a_program(clause: &str) -> bool {
    PROGRAM.within(clause) && !WORKING.within(clause)
}

/// Whether something about the work itself is named.
pub(super) fn is_of_work(said: &str) -> bool {
    WORKING.within(said)
}

/// "别再试了，换个思路", "不要用缓存了，直接读库": another way now, not a rule.
pub(super) fn changes_course(rest: &str) -> bool {
    let mut parts = pieces(rest).map(|(piece, _)| piece.trim_end_matches(['。', '！', ' ']));
    let banned = parts.next().unwrap_or_default();
    let bare = banned.chars().count() <= 3;
    let turned = parts.next().is_some_and(|next| TURNS.opens(next));
    banned.ends_with('了') && (bare || turned)
}

/// What is done to the thing that a scope names: "注释去掉", "变量名改成…", "日志里先打印一下".
pub(super) fn is_done_once(clause: &str, rest: &str) -> bool {
    let (said, _) = pieces(rest).next().unwrap_or((rest, rest));
    let each = EACH.opens(clause) && DONE_TO_EACH.within(said);
    let shortly = said.contains("一下") && !said.contains('我') && !clause.starts_with("每次");
    each || DONE_ONCE.opens(said) || shortly
}

static MOCKERY: Phrases =
    Phrases::of("呵呵; 真行; 可真行; 好家伙; 哟; 真有你的; 你可真; 太棒了呢; 牛啊你");
const MOCKING_ENDS: [&str; 6] = [
    "真棒",
    "真行啊",
    "好极了呢",
    "真有你的",
    "算你狠",
    "真够可以的",
];
static TASKS: Phrases = Phrases::of(
    "\
    改一下; 改下; 改成; 改为; 修一下; 修下; 你加; 你改; 实现一下; 调一下; 调下; 开始吧; 动手吧; 开干; 快点; 赶紧",
);
static ADDITIONS: Phrases =
    Phrases::of("加个; 加一个; 加上校验; 补个; 补一个; 把这; 把它; 把那; 先把; 给它; 给这");
static WHENEVER: Phrases =
    Phrases::of("以后; 今后; 往后; 从现在; 从今; 每次; 每当; 凡是; 每个; 只要; 改完; 写完");
static PROGRAM: Phrases = Phrases::of(
    "\
    用户; 按钮; 页面; 弹窗; 订单; 请求; 登录; 密码; 端口; 空值; 线程池; 鉴权; 权限校验; 倒序; 正序; 启动的时候; 启动时; 点了; 点击; 扣款; 扣两次; 跑两次; 重复提交; 置灰; 横幅; 角色; 返回 200; 返回200; 读缓存; 默认值; 表头; 列表页; 下拉; 输入框; 校验失败; 券; 首页; 超时时间; 重试次数; 表单; 手机号; 库存; 回调; 循环; 缓冲区; 渲染; 遍历; 空指针; 内存泄漏; 越界; 死锁; 并发安全",
);
static WORKING: Phrases = Phrases::of(
    "\
    你; 我; 写; 每次提交; 提交信息; 提交前; 提交之前; 提交时; 提交里; 提交到; 提交代码; 代码; 命名; 注释; 文档; 测试; 生产; 线上; commit; pr; mr; review; 改动; 回答; 回复; 日志; 打印; 推送; push; 分支; 依赖; 合并; 部署; 上线; 发版; 重构; 改完; 迁移; 文案; 接口返回; sql; 变量; 函数; 数据库; 密钥; 删库; 主干; master; main",
);
static TURNS: Phrases = Phrases::of("直接; 换; 改; 先; 用; 没用; 就; 回到; 试试; 走; 看看; 看下");
static EACH: Phrases = Phrases::of("每个; 所有; 任何");
static DONE_TO_EACH: Phrases = Phrases::of(
    "都加上; 都删; 都改成; 都改一; 都去掉; 都换成; 都跑一遍; 都格式化; 都过一遍; 都看一遍",
);
static DONE_ONCE: Phrases = Phrases::of(
    "去掉; 删; 改成; 改为; 改一下; 改下; 补; 更新; 移; 挪; 里先打; 叫; 换成; 先留; 先去; 先删; 先不; 先放; 都删; 都去掉",
);
