/**
 * Path of the root file of a language's index. It does not depend on the content: if it contained a hash, every page
 * of a site would change with each edit of any page. Characters that are special in paths or that file systems do not
 * distinguish are written as numbers.
 */
export function rootPath(language: string): string {
  const name = language.replace(/[^a-z0-9-]/g, (character) => `_${character.codePointAt(0)?.toString(16)}`)
  return `_octavo/search-${name}.js`
}
