/** Reads the servers of an API. Their URLs can contain variables in braces. */
import { asArray, asObject, asText, type JsonObject } from './api-json.ts'
import type { PlaygroundServer, ServerVariable } from './playground-data.ts'

/** Maximum number of servers, of variables per server, and of values per variable. */
const MAX_SERVER_ENTRIES = 200

/** Returns the servers of the first object that has any. */
export function listServerTemplates(holders: readonly JsonObject[]): PlaygroundServer[] {
  const found = holders.map((one) => asArray(one.servers)).find((list) => list.length > 0) ?? []
  return found.slice(0, MAX_SERVER_ENTRIES).flatMap((one) => {
    const server = asObject(one)
    const url = asText(server.url)
    if (url === null) return []
    return [
      {
        url: url.replace(/(?<!\/)\/+$/, ''),
        description: asText(server.description) ?? '',
        variables: readVariables(server),
      },
    ]
  })
}

function readVariables(server: JsonObject): ServerVariable[] {
  return Object.entries(asObject(server.variables))
    .slice(0, MAX_SERVER_ENTRIES)
    .map(([name, value]) => {
      const { default: initial, description, enum: options } = asObject(value)
      return {
        name,
        initial: initial === undefined || initial === null ? '' : String(initial),
        description: asText(description) ?? '',
        options: asArray(options).slice(0, MAX_SERVER_ENTRIES).map(String),
      }
    })
}

export function getInitialValue({ initial, options }: Pick<ServerVariable, 'initial' | 'options'>): string {
  return initial || options[0] || ''
}

/** Returns the URL with values in place of variables. Variables without a value are left in braces. */
export function expandServerUrl(
  { url, variables }: Pick<PlaygroundServer, 'url' | 'variables'>,
  values: Readonly<Record<string, string>> = {},
): string {
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = variables.find((one) => one.name === name)
    const own = Object.hasOwn(values, name) ? values[name] : undefined
    return own || (variable ? getInitialValue(variable) : '') || whole
  })
}

const MAX_SERVER_URLS = 100

/**
 * Returns all URLs of a server, for each combination of the listed values or, if there are none, the
 * defaults.
 */
export function listServerUrls(server: Pick<PlaygroundServer, 'url' | 'variables'>): string[] {
  let all: Record<string, string>[] = [{}]
  for (const variable of server.variables) {
    const values = variable.options.length > 0 ? variable.options : [getInitialValue(variable)]
    all = all
      .flatMap((chosen) => values.map((value) => ({ ...chosen, [variable.name]: value })))
      .slice(0, MAX_SERVER_URLS)
  }
  return all.map((values) => expandServerUrl(server, values)).filter((url) => !/[{}]/.test(url))
}
