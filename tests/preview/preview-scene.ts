/** A preview of a temporary folder, with its reports and the events its pages receive. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PreviewNotes, PreviewVersion } from '../../src/base/api/preview.ts'
import { silentLog } from '../../src/base/log.ts'
import { openPreview, type Preview } from '../../src/preview/open-preview.ts'
import type { PreviewReport } from '../../src/preview/preview-report.ts'
import { writeSite } from '../kit/site.ts'

export interface PreviewScene {
  /** Root of the site. */
  folder: string
  url: string
  preview: Preview
  reports: PreviewReport[]
  write(files: Readonly<Record<string, string>>): Promise<void>
  /** Returns the body served at a path, whatever the status. */
  page(path: string): Promise<string>
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** Resolves with the first report of this kind that satisfies `holds`, including earlier reports. */
  reported<Kind extends PreviewReport['kind']>(
    kind: Kind,
    holds?: (report: Extract<PreviewReport, { kind: Kind }>) => boolean,
  ): Promise<Extract<PreviewReport, { kind: Kind }>>
  /** Opens the event stream of a page. */
  listen(path: string): Promise<PageEars>
  [Symbol.asyncDispose](): Promise<void>
}

export interface PageEars {
  /** Resolves with the next version event. */
  version(): Promise<string>
  /** Resolves with the next notes event. */
  notes(): Promise<PreviewNotes>
  close(): Promise<void>
}

export const SETTINGS = {
  theme: 'mint',
  name: 'Seen',
  colors: { primary: '#4F46E5' },
  navigation: { pages: ['index', 'guides/first', 'guides/second'] },
}

export const SITE: Record<string, string> = {
  'docs.json': JSON.stringify(SETTINGS),
  'index.mdx':
    '---\ntitle: Home\n---\n\nWelcome to the [first](/guides/first).\n\n![A dot](/images/dot.svg)\n',
  'guides/first.mdx':
    '---\ntitle: First\n---\nimport Part from "/snippets/part.mdx"\n\nThe first words.\n\n<Part />\n',
  'guides/second.mdx': '---\ntitle: Second\n---\n\nThe second words.\n',
  'snippets/part.mdx': 'A shared sentence.\n',
  'images/dot.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><circle r="1" fill="red"/></svg>',
}

export async function openPreviewScene(
  files: Readonly<Record<string, string>> = SITE,
): Promise<PreviewScene> {
  await using opening = new AsyncDisposableStack()
  const parent = await mkdtemp(join(tmpdir(), 'octavo-preview-'))
  opening.defer(() => rm(parent, { recursive: true, force: true }))
  const folder = join(parent, 'docs')
  await writeSite(folder, files)
  const reports: PreviewReport[] = []
  const waiting = new Set<() => void>()
  const preview = opening.use(
    await openPreview({
      folder,
      port: 0,
      more: 0,
      log: silentLog,
      report: (report) => {
        reports.push(report)
        for (const look of waiting) look()
      },
    }),
  )
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(preview.url + path, { headers, redirect: 'manual' })
  const open = opening.move()
  return {
    folder,
    url: preview.url,
    preview,
    reports,
    write: (changed) => writeSite(folder, changed),
    get,
    page: async (path) => (await get(path)).text(),
    reported: (kind, holds = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const found = reports.find((one) => one.kind === kind && holds(one as never))
          if (!found) return
          waiting.delete(look)
          resolve(found as never)
        }
        waiting.add(look)
        look()
      }),
    listen: (path) => listenTo(`${preview.url}/_octavo/preview/events?page=${encodeURIComponent(path)}`),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

async function listenTo(url: string): Promise<PageEars> {
  const stop = new AbortController()
  const answer = await fetch(url, { signal: stop.signal })
  assert.equal(answer.headers.get('content-type'), 'text/event-stream')
  const heard = new Map<string, { told: unknown[]; asked: ((data: unknown) => void)[] }>()
  const of = (event: string) => {
    const known = heard.get(event) ?? { told: [], asked: [] }
    heard.set(event, known)
    return known
  }
  const next = (event: string): Promise<unknown> => {
    const { told, asked } = of(event)
    return told.length > 0 ? Promise.resolve(told.shift()) : new Promise((resolve) => asked.push(resolve))
  }
  const reading = (async () => {
    let rest = ''
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      rest += Buffer.from(chunk).toString()
      for (let end = rest.indexOf('\n\n'); end !== -1; end = rest.indexOf('\n\n')) {
        const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(rest.slice(0, end)) ?? []
        rest = rest.slice(end + 2)
        if (event === '') continue
        const { told, asked } = of(event)
        const answerTo = asked.shift()
        if (answerTo) answerTo(JSON.parse(data))
        else told.push(JSON.parse(data))
      }
    }
  })().catch(() => {})
  return {
    version: async () => ((await next('version')) as PreviewVersion).version,
    notes: async () => (await next('notes')) as PreviewNotes,
    close: async () => {
      stop.abort()
      await reading
    },
  }
}
