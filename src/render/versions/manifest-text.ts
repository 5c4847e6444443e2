/**
 * Serializes manifests as JSON with each file and each redirect on a separate line, so that they can be written
 * and parsed in parts. Parsing two hundred thousand files in one step would block a server for a second. Older
 * manifests are a single line and are parsed in one step.
 */
import { createYielder } from '../../base/text/yielder.ts'
import type { ManifestFile, SiteManifest } from './manifest.ts'

const FILES = ',"files":{\n'
const REDIRECTS = '\n},"redirects":[\n'
const END = '\n]}\n'
const LINE_END = 10
/** Minimum number of bytes parsed in one step, extended to the end of the line. */
const PART_BYTES = 128 * 1024

export async function encodeManifest({ files, redirects, ...manifestHead }: SiteManifest): Promise<Buffer> {
  const breaks = createYielder()
  const parts: Buffer[] = []
  let lines: string[] = []
  const write = async (line: string) => {
    lines.push(line)
    if (!breaks.isDue()) return
    parts.push(Buffer.from(lines.join('')))
    lines = []
    await breaks.yieldNow()
  }
  await write(JSON.stringify(manifestHead).slice(0, -1) + FILES)
  let before = ''
  for (const name in files) {
    await write(`${before}${JSON.stringify(name)}:${JSON.stringify(files[name])}`)
    before = ',\n'
  }
  await write(REDIRECTS)
  before = ''
  for (const redirect of redirects) {
    await write(before + JSON.stringify(redirect))
    before = ',\n'
  }
  await write(END)
  return Buffer.concat([...parts, Buffer.from(lines.join(''))])
}

/** Rejects with SyntaxError. */
export async function parseManifest(bytes: Uint8Array): Promise<SiteManifest> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const headEnd = text.indexOf(LINE_END)
  const filesEnd = text.indexOf(REDIRECTS)
  const head = text.toString('utf8', 0, Math.max(0, headEnd + 1))
  if (!head.endsWith(FILES) || filesEnd < headEnd) return JSON.parse(text.toString('utf8'))
  const manifestHead = JSON.parse(`${head.slice(0, -FILES.length)}}`) as Omit<
    SiteManifest,
    'files' | 'redirects'
  >
  const files: SiteManifest['files'] = {}
  for await (const part of readParts(text, headEnd + 1, filesEnd)) {
    const some = JSON.parse(`{${part}}`) as SiteManifest['files']
    for (const name in some) setFile(files, name, some[name] as ManifestFile)
  }
  const redirects: SiteManifest['redirects'] = []
  for await (const part of readParts(text, filesEnd + REDIRECTS.length, text.length - END.length))
    redirects.push(...(JSON.parse(`[${part}]`) as SiteManifest['redirects']))
  return { ...manifestHead, files, redirects }
}

/**
 * Yields groups of whole lines without the comma after the last line of the group. Returns to the event loop in
 * between.
 */
async function* readParts(text: Buffer, from: number, to: number): AsyncGenerator<string> {
  const breaks = createYielder()
  for (let at = from; at < to; ) {
    const lineEnd = at + PART_BYTES < to ? text.indexOf(LINE_END, at + PART_BYTES) : to
    const end = lineEnd === -1 ? to : Math.min(lineEnd, to)
    yield text.toString('utf8', at, end === to ? end : end - 1)
    at = end + 1
    if (breaks.isDue()) await breaks.yieldNow()
  }
}

/** Defines the property, because assigning to `__proto__` would set the prototype. */
function setFile(files: SiteManifest['files'], name: string, file: ManifestFile): void {
  if (name !== '__proto__') files[name] = file
  else
    Object.defineProperty(files, name, { value: file, enumerable: true, configurable: true, writable: true })
}
