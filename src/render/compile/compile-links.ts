/** Resolves URLs of authors to paths that do not depend on the file. */

export const URL_PROPS: ReadonlySet<string> = new Set(['href', 'src', 'img', 'poster'])

/**
 * Resolves `./x`, `../x` and `x/y` to `/…`. `file` is a path below the docs folder. Other URLs are returned
 * unchanged. A path that leaves the docs folder is resolved to its root.
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
 * Returns the imported path below the docs folder; null for a URL or a package. Some authors omit the leading
 * slash, so `snippets/x` may also be a package: callers must check whether the file exists.
 */
export function resolveImport(specifier: string, file: string): string | null {
  if (specifier.startsWith('/')) return resolveAddress(specifier.replace(/^\/+/, './'), '').slice(1)
  if (/^\.{1,2}\//.test(specifier)) return resolveAddress(specifier, file).slice(1)
  return isLinkTarget(specifier) ? resolveAddress(specifier, '').slice(1) : null
}

/** Returns whether a bare specifier may be a file: it has a folder or an extension, unlike most packages. */
function isLinkTarget(specifier: string): boolean {
  return !specifier.includes(':') && /[/.]/.test(specifier.slice(1))
}

const MODULE_ENDINGS = ['', '.mdx', '.md', '.jsx', '.tsx', '.js', '.ts', '/index.mdx', '/index.jsx']

/** Returns the file for a path that may lack an extension, or null. */
export function findModule(modules: Pick<ReadonlyMap<string, unknown>, 'has'>, path: string): string | null {
  for (const ending of MODULE_ENDINGS) if (modules.has(path + ending)) return path + ending
  return null
}
