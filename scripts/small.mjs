/** White space is what costs a start; lines stay short, because Node prints the one in which an uncaught error was thrown. */
export const SMALL = { minifyWhitespace: true, lineLimit: 160 };
