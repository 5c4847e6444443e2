/** Builds the example request of every operation with the playground form's own functions and sends it to a server. */
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import type { JsonObject } from '../../src/openapi/api-json.ts'
import { type BuiltRequest, toFetchBody } from '../../src/openapi/build-request.ts'
import { createPlaygroundScope, type FormValue } from '../../src/openapi/form-value.ts'
import type { PlaygroundData } from '../../src/openapi/playground-data.ts'
import { flatten, isFileSchema, listItems } from '../../src/openapi/schema.ts'
import { pagePlayground } from '../../src/render/outputs/page-playground.ts'
import { loadSite } from '../../src/site/load-site.ts'
import { buildRequests, createForm, type FormState } from '../../web/reader/playground/form-state.ts'
import { requestJudge, SECRET } from './described-request.ts'
import type { RecordingServer } from './recording-server.ts'

const TYPED = { typed: { token: SECRET, username: SECRET, password: SECRET }, isRemembered: false }
const FILE = new File(['a file'], 'a.txt', { type: 'text/plain' })

/** Returns the playground forms of a site that contains only this description. */
async function formsOf(description: JsonObject): Promise<PlaygroundData[]> {
  const tree = openMemoryTree({
    'docs.json': JSON.stringify({
      theme: 'mint',
      name: 'Try',
      colors: { primary: '#3344ff' },
      navigation: { groups: [{ group: 'API', openapi: 'api.json' }] },
    }),
    'api.json': JSON.stringify(description),
  })
  const site = await loadSite(tree)
  const forms: PlaygroundData[] = []
  for (const page of site.pages.values()) {
    const data = await pagePlayground(site, tree, page)
    if (data) forms.push(data)
  }
  return forms
}

/** Sends all examples and returns the number of operations and the faults of the received requests. */
export async function sendExamples(
  description: JsonObject,
  server: RecordingServer,
): Promise<{ operations: number; faults: string[] }> {
  const described = {
    ...description,
    paths: withoutServers(description.paths),
    servers: [{ url: `${server.url}/base/v1/` }],
  }
  const judge = requestJudge(described, { base: '/base/v1', canSendCookies: true })
  const faults: string[] = []
  const forms = await formsOf(described)
  for (const data of forms) {
    const operation = `${data.method} ${data.path}`
    const { sent } = buildRequests(data, withFiles(data, createForm(data, null, true)), () => TYPED)
    if (sent.missing.length > 0) faults.push(`${operation}: ${sent.missing.join(', ')} is missing`)
    const before = server.requests.length
    await send(sent)
    const request = server.requests[before]
    if (!request) faults.push(`${operation}: nothing arrived`)
    else for (const fault of await judge.faults(operation, request)) faults.push(`${operation}: ${fault}`)
  }
  return { operations: forms.length, faults }
}

/** Removes servers from paths and operations, which would override the recording server. */
export function withoutServers(paths: unknown): JsonObject {
  return JSON.parse(
    JSON.stringify(paths ?? {}, (key, one) => (key === 'servers' && Array.isArray(one) ? undefined : one)),
  )
}

async function send({ method, url, headers, cookies, body }: BuiltRequest): Promise<void> {
  const all = new Headers(headers.map(([name, value]): [string, string] => [name, value]))
  if (cookies.length > 0) all.set('Cookie', cookies.join('; '))
  const response = await fetch(url, { method, headers: all, body: body && toFetchBody(body) })
  await response.body?.cancel()
}

/** Selects a file for every file input. */
function withFiles(data: PlaygroundData, form: FormState): FormState {
  const media = data.bodies[form.media]
  const { body } = form
  if (!media) return form
  if (body.kind === 'file') return { ...form, body: { ...body, file: FILE } }
  if (body.kind !== 'value' || !/^multipart\//.test(media.type)) return form
  const scope = createPlaygroundScope(data)
  const { properties } = flatten(scope, media.schema).schema
  const files = Object.entries((properties ?? {}) as JsonObject).flatMap(
    ([name, one]): [string, FormValue][] => {
      const { schema } = flatten(scope, one)
      const items = listItems(schema)
      if (isFileSchema(schema)) return [[name, FILE]]
      return items !== null && isFileSchema(flatten(scope, items).schema) ? [[name, [FILE, FILE]]] : []
    },
  )
  return {
    ...form,
    body: { kind: 'value', value: { ...(body.value as object), ...Object.fromEntries(files) } },
  }
}
