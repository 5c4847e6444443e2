/** Where an interface is served: addresses with variables in braces, as descriptions write them. */
import { fieldsOf, type JsonObject, listOf, textOf } from './api-json.ts'
import type { PlaygroundServer, ServerVariable } from './playground-data.ts'

/** Servers in one list, variables of one server, values of one variable. */
const MOST = 200

/** Those of the first holder that names any. */
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

/** What a variable has when nobody chose. */
export function initialOf({ initial, options }: Pick<ServerVariable, 'initial' | 'options'>): string {
  return initial || options[0] || ''
}

/** The address with values in place of its variables; one without a value keeps its braces. */
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

/** Addresses that come of the variables of one server. */
const MOST_FILLED = 100

/** Every address that a server can have: its variables take the values that the description lists, else their default. */
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
