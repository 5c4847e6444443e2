/** Where an interface is served: of the operation, else of its path, else of the whole description. */
import { fieldsOf, type JsonObject, listOf, textOf } from '../../site/api-json.ts'

export interface ApiServer {
  /** With the defaults of its variables filled in, without a slash at the end. */
  url: string
  description: string
  variables: readonly { name: string; initial: string; description: string; options: readonly string[] }[]
}

/** Stands in samples where no server is known. */
export const EXAMPLE_SERVER = 'https://api.example.com'

/** `specUrl`: where the description came from, against which relative addresses count; null for a file. */
export function serversOf(
  root: JsonObject,
  holders: readonly JsonObject[],
  specUrl: string | null,
): ApiServer[] {
  const found = [...holders, root].map((one) => listOf(one.servers)).find((list) => list.length > 0) ?? []
  const servers = found.flatMap((one) => readServer(fieldsOf(one), specUrl) ?? [])
  return servers.filter((one, index) => servers.findIndex((other) => other.url === one.url) === index)
}

function readServer(server: JsonObject, specUrl: string | null): ApiServer | null {
  const written = textOf(server.url)
  if (written === null) return null
  const variables = Object.entries(fieldsOf(server.variables)).map(([name, value]) => {
    const { default: initial, description, enum: options } = fieldsOf(value)
    return {
      name,
      initial: initial === undefined || initial === null ? '' : String(initial),
      description: textOf(description) ?? '',
      options: listOf(options).map(String),
    }
  })
  const filled = written.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const { initial, options } = variables.find((one) => one.name === name) ?? { initial: '', options: [] }
    return initial || options[0] || whole
  })
  const url = specUrl === null ? filled : (URL.parse(filled, specUrl)?.href ?? filled)
  return { url: url.replace(/(?<!\/)\/+$/, ''), description: textOf(server.description) ?? '', variables }
}
