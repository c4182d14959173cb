import { statfsSync } from "node:fs";
import { dirname } from "node:path";

/** The type of the file system a path lies on, as in statfs(2). */
export type FileSystemType = (path: string) => number;

/** Linux magic numbers of file systems whose locks and shared memory SQLite's WAL cannot rely on. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE (sshfs, a shared folder)"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x73757245, "Coda"],
  [0x47504653, "GPFS"],
  [0x7461636f, "OCFS2"],
  [0x786f4256, "VirtualBox shared folder"],
  [0x19830326, "BeeGFS"],
  [0x20030528, "OrangeFS"],
]);

const systemType: FileSystemType = (path) => statfsSync(path).type;

/** A warning when the directory (or, as long as it is not there, its nearest parent) lies on a network. */
export function networkWarnings(directory: string, typeOf: FileSystemType = systemType): string[] {
  // Other systems number their file systems differently, or not at all.
  if (process.platform !== "linux" && typeOf === systemType) return [];
  for (let path = directory; ; path = dirname(path)) {
    try {
      const name = NETWORK.get(typeOf(path) >>> 0);
      if (name === undefined) return [];
      return [
        `The store ${directory} lies on a network file system (${name}), where SQLite cannot keep processes on ` +
          "different machines apart. Use a local disk, or let one machine only use it.",
      ];
    } catch {
      if (dirname(path) === path) return [];
    }
  }
}
