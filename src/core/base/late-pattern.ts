/**
 * A pattern that is made when it is first asked for. It is written as text because the engine works out the sets of a
 * literal's `\p{…}` whenever the file is loaded, a third of a millisecond each, whether anybody uses them or not.
 */
export function latePattern(flags: string): (text: TemplateStringsArray) => () => RegExp {
  return ({ raw: [text] }) => {
    let made: RegExp | undefined;
    return () => (made ??= new RegExp(text!, flags));
  };
}
