/**
 * Words for relatives in languages that need no "my" before them: "母は…" and "父は…". What is said of one is said of no
 * other; words on one line mean the same one. Words for any of several (孩子, 兄弟) are left out.
 */
const KIN = `
妈妈 媽媽 妈 媽 母亲 母親 母 お母さん 母さん ママ
爸爸 爸 父亲 父親 父 お父さん 父さん パパ
哥哥 哥 兄 お兄さん 兄さん
弟弟 弟 弟さん
姐姐 姐 姊姊 姉 お姉さん 姉さん
妹妹 妹 妹さん
爷爷 爺爺 祖父 おじいさん お爺さん おじいちゃん
奶奶 祖母 おばあさん お婆さん おばあちゃん
外公 姥爷 外祖父
外婆 姥姥 外祖母
叔叔 叔父 伯父 伯伯 舅舅 姑父 おじさん
阿姨 姑姑 舅妈 叔母 伯母 おばさん
妻子 老婆 太太 妻 奥さん 家内
丈夫 老公 夫 旦那
儿子 兒子 息子 息子さん
女儿 女兒 娘 娘さん
孙子 孫子
孙女 孫女
岳母 婆婆 義母
岳父 公公 義父
侄子 外甥 甥 甥っ子
侄女 外甥女 姪 姪っ子
`;

const WHO = new Map(
  KIN.trim()
    .split("\n")
    .flatMap((row, who) => row.split(" ").map((word) => [word, who] as const)),
);

/** Is a relative named on one side, and another one in the same place on the other? */
export function areOtherKin(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [one, other].map((words) => words.flatMap((word) => WHO.get(word) ?? []));
  return left!.length > 0 && right!.length > 0 && !left!.some((who) => right!.includes(who));
}

/** Is one relative named on both sides, in another word? */
export function areSameKin(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [one, other].map((words) => words.flatMap((word) => WHO.get(word) ?? []));
  return left!.length > 0 && left!.length === one.length && left!.join() === right!.join();
}
