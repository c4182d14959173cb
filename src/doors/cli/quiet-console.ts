// stdout is data. A dependency that chats with console.log must not end up in somebody's JSON, so this module is
// imported before any other.
// biome-ignore lint/suspicious/noConsole: this is where console leaves stdout
console.log = console.info = console.debug = console.dir = console.table = console.error;

export {};
