/**
 * Writes a site of API descriptions like those of large services: operations over shared schemas that refer to each
 * other several levels deep, with enums, variants, examples and the same errors everywhere. The same counts produce the
 * same files.
 *
 *   node bench/api-description.ts <folder> [descriptions=2] [operations=186] [schemas=1010]
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WORDS =
  'request answer token field cluster region backup version schema client server worker queue stream record index cursor label metric alert policy secret folder volume image layer module branch release window limit budget'.split(
    ' ',
  )
const LEVELS = 5
/** Models per resource and level. */
const MODELS_OF_LEVEL = 7
const [folder, descriptions = '2', operations = '186', schemas = '1010'] = process.argv.slice(2)
if (!folder || [descriptions, operations, schemas].some((one) => !/^[1-9]\d*$/.test(one))) {
  console.error('usage: node bench/api-description.ts <folder> [descriptions] [operations] [schemas]')
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
const names = Array.from({ length: Number(descriptions) }, (_, index) => `api-${index + 1}`)
for (const [index, name] of names.entries()) write(`${name}.json`, description(name, index))
write('docs.json', {
  theme: 'mint',
  name: 'Large API',
  colors: { primary: '#0F766E' },
  navigation: {
    tabs: [
      { tab: 'Guides', pages: ['index'] },
      ...names.map((name) => ({ tab: name, openapi: { source: `${name}.json`, directory: name } })),
    ],
  },
})
writeFileSync(join(folder, 'index.mdx'), '---\ntitle: Start\n---\n\nCall the service with a token.\n')

function write(path: string, value: object): void {
  writeFileSync(join(folder as string, path), JSON.stringify(value, null, 1))
}

function description(title: string, seed: number): object {
  const count = Number(schemas)
  const paths: Record<string, Record<string, object>> = {}
  for (let at = 0; at < Number(operations); at++) {
    const [path, method] = [
      `/${word(at)}s/${word(at >> 2)}-${at >> 2}`,
      ['get', 'post', 'put', 'delete'][at % 4] as string,
    ]
    paths[path] = { ...paths[path], [method]: operation(at + seed * 1000, method, count) }
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1.0.0' },
    servers: [{ url: `https://${title}.example.com/v1` }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(
        Array.from({ length: count }, (_, at) => [modelName(at), model(at, count)]),
      ),
    },
  }
}

function operation(seed: number, method: string, count: number): object {
  const top = (offset: number) =>
    reference(offset === count - 1 ? offset : (seed * 7 + offset) % Math.ceil(count / LEVELS))
  const content = (offset: number) => ({ content: { 'application/json': { schema: top(offset) } } })
  const failure = { description: 'The request failed.', ...content(count - 1) }
  return {
    tags: [word(seed >> 4)],
    summary: `${words(seed, 3)} ${seed}`,
    description: `${words(seed, 40)}.`,
    parameters: ['limit', 'cursor', 'order', 'filter'].map((name, at) => ({
      name,
      in: 'query',
      description: words(seed + at, 8),
      schema: at === 2 ? { type: 'string', enum: ['asc', 'desc'], default: 'asc' } : { type: 'string' },
    })),
    ...(method === 'post' || method === 'put' ? { requestBody: { required: true, ...content(2) } } : {}),
    responses: {
      200: { description: 'The result.', ...content(3) },
      ...Object.fromEntries([400, 401, 403, 404, 422, 500].map((status) => [status, failure])),
    },
  }
}

/** Models refer to models of the same resource one level deeper, or to shared ones. Every sixth has variants. */
function model(at: number, count: number): object {
  const size = Math.ceil(count / LEVELS)
  const level = Math.floor(at / size)
  const resource = Math.floor((at % size) / MODELS_OF_LEVEL)
  const inner = (offset: number) => {
    const place = (at + offset) % MODELS_OF_LEVEL
    const own = offset % 3 === 0 ? offset % MODELS_OF_LEVEL : resource * MODELS_OF_LEVEL + place
    return reference(Math.min(count - 1, (level + 1) * size + (own % size)))
  }
  const isLast = level === LEVELS - 1
  const properties = Object.fromEntries(
    Array.from({ length: 9 }, (_, place) => {
      const seed = at * 11 + place
      const name = `${word(seed)}_${word(seed + 3)}`
      if (!isLast && place === 1) return [name, { ...inner(place), description: words(seed, 9) }]
      if (!isLast && place === 4)
        return [name, { type: 'array', description: words(seed, 9), items: inner(place) }]
      if (place === 5)
        return [
          name,
          { type: 'string', description: words(seed, 6), enum: WORDS.slice(seed % 20, (seed % 20) + 6) },
        ]
      if (!isLast && place === 6 && at % 6 === 0) return [name, { oneOf: [inner(7), inner(8)] }]
      const type = ['string', 'integer', 'boolean', 'number'][seed % 4]
      return [name, { type, description: `${words(seed, 14)}. See \`${word(seed)}\`.` }]
    }),
  )
  return {
    type: 'object',
    description: words(at, 12),
    required: Object.keys(properties).slice(0, 3),
    properties,
  }
}

function reference(at: number): { $ref: string } {
  return { $ref: `#/components/schemas/${modelName(at)}` }
}

function modelName(at: number): string {
  return `${words(at, 2).replaceAll(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())}${at}`
}

function word(seed: number): string {
  return words(seed, 1)
}

/** Returns the same words for the same seed. */
function words(seed: number, length: number): string {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return WORDS[(state >>> 16) % WORDS.length]
  }).join(' ')
}
