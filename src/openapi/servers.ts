/** Servers of an API: URLs with variables in braces, as written in descriptions. */
import { fieldsOf, type JsonObject, listOf, textOf } from './api-json.ts'
import type { PlaygroundServer, ServerVariable } from './playground-data.ts'

/** Maximum number of servers in a list, of variables per server, and of values per variable. */
const MOST = 200

/** Returns the servers of the first holder that has any. */
export function serverTemplates(holders: readonly JsonObject[]): PlaygroundServer[] {
  const found = holders.map((one) => listOf(one.servers)).find((list) => list.length > 0) ?? []
  return found.slice(0, MOST).flatMap((one) => {
    const server = fieldsOf(one)
    const url = textOf(server.url)
    if (url === null) return []
    return [
      {
        url: url.replace(/(?<!\/)\/+$/, ''),
        description: textOf(server.description) ?? '',
        variables: readVariables(server),
      },
    ]
  })
}

function readVariables(server: JsonObject): ServerVariable[] {
  return Object.entries(fieldsOf(server.variables))
    .slice(0, MOST)
    .map(([name, value]) => {
      const { default: initial, description, enum: options } = fieldsOf(value)
      return {
        name,
        initial: initial === undefined || initial === null ? '' : String(initial),
        description: textOf(description) ?? '',
        options: listOf(options).slice(0, MOST).map(String),
      }
    })
}

/** Returns the value of a variable before the reader chooses one. */
export function initialOf({ initial, options }: Pick<ServerVariable, 'initial' | 'options'>): string {
  return initial || options[0] || ''
}

/** Returns the URL with values in place of variables; a variable without a value stays in braces. */
export function fillServer(
  { url, variables }: Pick<PlaygroundServer, 'url' | 'variables'>,
  values: Readonly<Record<string, string>> = {},
): string {
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = variables.find((one) => one.name === name)
    const own = Object.hasOwn(values, name) ? values[name] : undefined
    return own || (variable ? initialOf(variable) : '') || whole
  })
}

/** Maximum number of URLs built from one server. */
const MOST_FILLED = 100

/** Returns all URLs of a server: each variable takes the values listed in the description, or else its default. */
export function filledServers(server: Pick<PlaygroundServer, 'url' | 'variables'>): string[] {
  let all: Record<string, string>[] = [{}]
  for (const variable of server.variables) {
    const values = variable.options.length > 0 ? variable.options : [initialOf(variable)]
    all = all
      .flatMap((chosen) => values.map((value) => ({ ...chosen, [variable.name]: value })))
      .slice(0, MOST_FILLED)
  }
  return all.map((values) => fillServer(server, values)).filter((url) => !/[{}]/.test(url))
}
