/** Sends hostile texts in every field of the intake; the API, JSON lines and CSV must return them unchanged. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { canonicalPagePath } from '../../src/features/feedback/intake/page-path.ts'
import type { FeedbackEntry } from '../../src/features/feedback/operations/feedback.ts'
import { type ApiUnderTest, startApi, withKey } from '../http/api-under-test.ts'
import { injectionPayloads } from '../kit/payloads.ts'
import { IS_WHOLE } from '../kit/whole-run.ts'
import { feedbackPath, makeSite, readPage, type Site, sayAccepted } from './feedback-scene.ts'

const PAYLOADS = injectionPayloads(IS_WHOLE ? 1000 : 250)
const ENTRIES = PAYLOADS.length * 3
const CONCURRENCY = 8

let api: ApiUnderTest
let site: Site
const sent = new Map<string, Record<string, string | null>>()

before(async () => {
  api = await startApi({
    limits: {
      analytics: { count: 100_000, seconds: 60 },
      feedback: { count: 100_000, seconds: 60 },
      agentFeedback: { count: 100_000, seconds: 60 },
      siteFeedback: { count: 100_000, seconds: 60 },
    },
  })
  site = await makeSite(api, 'hostile')
  const bodies = PAYLOADS.flatMap((text, index) => bodiesOf(text, index))
  const next = bodies.values()
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const body of next) {
        const { id } = await sayAccepted(api, site, body)
        sent.set(id, expected(body))
      }
    }),
  )
})
after(() => api[Symbol.asyncDispose]())

type Body = Record<string, string | boolean>

/** Returns three entries that together have the text in every text field. */
function bodiesOf(text: string, index: number): Body[] {
  const id = (kind: string) => `hostile-${kind}-${String(index).padStart(8, '0')}`
  // Without a published version every path is accepted; it is sent encoded, as in URLs.
  const path = `/${encodeURIComponent(printable(text))}`
  // A quoted local part may contain almost any character.
  const quoted = text.replace(/[^\x20-\x7e]|["\\]/g, '').slice(0, 60)
  return [
    {
      id: id('page'),
      path,
      helpful: false,
      reason: text,
      comment: text,
      contact: `"${quoted}"@example.com`,
      pageVersion: text.slice(0, 100),
    },
    {
      id: id('code'),
      path,
      code: text,
      filename: text,
      lang: text.slice(0, 64),
      comment: text,
    },
    { id: id('agent'), path, feedback: text },
  ]
}

/** Removes what page paths cannot contain: control characters, backslashes, dot segments, query and hash. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\\]|\.+\//gu, '').replace(/[?#].*$/s, '')
}

/** The entry as the API returns it, with a canonical path. */
function expected(body: Body): Record<string, string | null> {
  const of = (name: string) => (typeof body[name] === 'string' ? body[name] : null)
  return {
    path: canonicalPagePath(of('path') ?? ''),
    comment: of('feedback') ?? of('comment'),
    reason: of('reason'),
    contact: of('contact'),
    code: of('code'),
    filename: of('filename'),
    lang: of('lang'),
  }
}

type Text = string | null

function check(
  entry: Partial<Record<string, unknown>>,
  undo = (text: Text, _sent: Text): Text => text,
): void {
  const id = String(entry.id)
  const wanted = sent.get(id)
  assert.ok(wanted, `${id} is none of those that were sent`)
  for (const [name, value] of Object.entries(wanted))
    assert.equal(undo((entry[name] ?? null) as Text, value), value, `${id} ${name}`)
}

test('the API returns each text unchanged, as JSON with nosniff', async () => {
  let cursor: string | null = null
  let count = 0
  do {
    const query: string = `?limit=100&include=reason${cursor === null ? '' : `&cursor=${cursor}`}`
    const page = await readPage(api, site, query)
    for (const entry of page.feedback) check(entry as FeedbackEntry & Record<string, unknown>)
    count += page.feedback.length
    cursor = page.nextCursor
  } while (cursor !== null)
  assert.equal(count, ENTRIES)
  const { headers } = await api.fetch(feedbackPath(site.projectId), withKey(site.key))
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
})

test('JSON lines contain one unchanged entry per line', async () => {
  const response = await api.fetch(feedbackPath(site.projectId, '/export?include=reason'), withKey(site.key))
  const lines = (await response.text()).trimEnd().split('\n')
  assert.equal(lines.length, ENTRIES)
  for (const line of lines) check(JSON.parse(line) as Record<string, unknown>)
})

test('CSV keeps every cell in its column and escapes formulas', async () => {
  const response = await api.fetch(
    feedbackPath(site.projectId, '/export?format=csv&include=reason'),
    withKey(site.key),
  )
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment/)
  const [head = [], ...rows] = parseCsv(await response.text())
  assert.equal(rows.length, ENTRIES)
  for (const row of rows) {
    assert.equal(row.length, head.length)
    assert.deepEqual(
      row.filter((cell) => /^[=+\-@\t\r\n＝＋－＠]/.test(cell)),
      [],
    )
    const entry = Object.fromEntries(head.map((name, index) => [name, row[index] || null]))
    check({ ...entry, code: entry.code ?? null }, withoutDisarming)
  }
})

/**
 * Removes the apostrophes that disarm formulas from a cell: those that were not sent and precede a formula character.
 * All others remain, so that a lost apostrophe of the reader is detected.
 */
function withoutDisarming(cell: Text, sent: Text): Text {
  if (cell === null || sent === null) return cell
  let text = ''
  let index = 0
  for (const character of cell) {
    index += character.length
    const isSent = sent.startsWith(character, text.length)
    if (isSent || character !== "'" || !DISARMED.test(cell.slice(index))) text += character
  }
  return text
}

const DISARMED = /^[\s"'\p{Cc}\p{Cf}\p{Lo}\p{Variation_Selector}]*[=+\-@−＝＋－＠﹢﹣﹦﹫]/u

/** RFC 4180 parser, independent of the code under test. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] !== '\r\n') continue
    rows.push(row)
    row = []
  }
  assert.equal(rows.flat().length > 0 && row.length === 0, true, 'the text ends with a line')
  return rows
}
