import { deflateRawSync } from 'node:zlib';

/** A file of an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly contents: Uint8Array;
}

/** 1 January 1980, the earliest date of the format, so that equal contents make equal archives. */
const DOS_TIME = 0;
const DOS_DATE = 0x21;
const DEFLATED = 8;
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x800;
/** Readable by all, since Lambda runs as a different user. */
const UNIX_MODE = (0o100644 << 16) >>> 0;
const MADE_ON_UNIX = (3 << 8) | VERSION;

/** A zip archive, sorted by name and deterministic, without the extensions for more than 4 GiB. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, contents } of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const packed = deflateRawSync(contents, { level: 9 });
    const common = commonFields(Buffer.from(name), contents, packed);
    const file = Buffer.concat([uint32(0x04034b50), common, Buffer.from(name), packed]);
    directory.push(
      Buffer.concat([
        uint32(0x02014b50),
        uint16(MADE_ON_UNIX),
        common,
        // No comment, first disk, no internal attributes.
        Buffer.alloc(6),
        uint32(UNIX_MODE),
        uint32(offset),
        Buffer.from(name),
      ]),
    );
    files.push(file);
    offset += file.length;
  }
  const list = Buffer.concat(directory);
  const counts = Buffer.concat([uint16(directory.length), uint16(directory.length)]);
  const end = [uint32(0x06054b50), Buffer.alloc(4), counts, uint32(list.length), uint32(offset), uint16(0)];
  return Buffer.concat([...files, list, ...end]);
}

function commonFields(name: Buffer, contents: Uint8Array, packed: Buffer): Buffer {
  return Buffer.concat([
    ...[VERSION, FLAGS, DEFLATED, DOS_TIME, DOS_DATE].map(uint16),
    ...[crc32(contents), packed.length, contents.length].map(uint32),
    // No extra field.
    ...[name.length, 0].map(uint16),
  ]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** Node.js has its own only since 20.15 and 22.2. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
