/** Addresses as the author wrote them, made independent of the file they stand in. */

/** Props whose value is an address. */
export const ADDRESS_PROPS: ReadonlySet<string> = new Set(['href', 'src', 'img', 'poster'])

/**
 * `./x`, `../x` and `x/y` become `/…` from the folder of `file` (a path below the docs folder); everything else stays.
 * A path that climbs out of the docs folder ends at its root.
 */
export function resolveAddress(address: string, file: string): string {
  if (address === '' || /^(?:[a-z][a-z0-9+.-]*:|[/#?\\])/i.test(address)) return address
  const [, path = '', tail = ''] = /^([^?#]*)(.*)$/s.exec(address) ?? []
  const parts = file.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  const isFolder = path.endsWith('/') && parts.length > 0
  return `/${parts.join('/')}${isFolder ? '/' : ''}${tail}`
}

/**
 * Path below the docs folder that an import names; null for an address and for what can only be a package. Some authors
 * leave the leading slash away, so whether `snippets/x` is a file or a package is for whoever knows the files.
 */
export function resolveImport(specifier: string, file: string): string | null {
  if (specifier.startsWith('/')) return resolveAddress(specifier.replace(/^\/+/, './'), '').slice(1)
  if (/^\.{1,2}\//.test(specifier)) return resolveAddress(specifier, file).slice(1)
  return isPlace(specifier) ? resolveAddress(specifier, '').slice(1) : null
}

/** A package has neither folders nor an ending. */
function isPlace(specifier: string): boolean {
  return !specifier.includes(':') && /[/.]/.test(specifier.slice(1))
}

const MODULE_ENDINGS = ['', '.mdx', '.md', '.jsx', '.tsx', '.js', '.ts', '/index.mdx', '/index.jsx']

/** The file that a path without its ending means; null when there is none. */
export function findModule(modules: Pick<ReadonlyMap<string, unknown>, 'has'>, path: string): string | null {
  for (const ending of MODULE_ENDINGS) if (modules.has(path + ending)) return path + ending
  return null
}
