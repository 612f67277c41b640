import { crc32, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { type ZipEntry, zip } from '../../../infra/export/zip';

const entries = fc.uniqueArray(
  fc.record({ name: fc.stringMatching(/^[\wé-]{1,12}\.\w{1,4}$/), contents: fc.uint8Array({ maxLength: 400 }) }),
  { selector: ({ name }) => name, maxLength: 6 },
);

test('what is put into an archive comes out of it, whatever it is, and everybody may read it', () => {
  fc.assert(
    fc.property(entries, (given) => {
      const found = unzip(zip(given));
      expect(found.map(({ name }) => name)).toEqual(given.map(({ name }) => name).sort());
      for (const { name, contents } of given)
        expect(found.find((one) => one.name === name)?.contents).toEqual(Buffer.from(contents));
      expect(new Set(found.map(({ mode }) => mode))).toEqual(new Set(given.length > 0 ? [0o100644] : []));
    }),
  );
});

test('the archive of the same files is the same, whatever their order', () => {
  fc.assert(
    fc.property(entries, (given) => {
      expect(zip([...given].reverse()).equals(zip(given))).toBe(true);
    }),
  );
});

/** Reads as the format's description says: the directory from the end, then each file by its own header. */
function unzip(archive: Buffer): readonly (ZipEntry & { readonly mode: number })[] {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const [amount, size, start] = [
    archive.readUInt16LE(end + 10),
    archive.readUInt32LE(end + 12),
    archive.readUInt32LE(end + 16),
  ];
  expect(start + size).toBe(end);
  const found: (ZipEntry & { readonly mode: number })[] = [];
  let at = start;
  for (let index = 0; index < amount; index += 1) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const [length, local] = [archive.readUInt16LE(at + 28), archive.readUInt32LE(at + 42)];
    const name = archive.toString('utf8', at + 46, at + 46 + length);
    expect(archive.readUInt32LE(local)).toBe(0x04034b50);
    expect(archive.subarray(local + 4, local + 30)).toEqual(archive.subarray(at + 6, at + 32));
    const from = local + 30 + length;
    const contents = inflateRawSync(archive.subarray(from, from + archive.readUInt32LE(at + 20)));
    expect(contents).toHaveLength(archive.readUInt32LE(at + 24));
    expect(crc32(contents)).toBe(archive.readUInt32LE(at + 16));
    found.push({ name, contents, mode: archive.readUInt32LE(at + 38) >>> 16 });
    at += 46 + length;
  }
  return found;
}
