/**
 * The file that the index of a language begins with. Its name is the same whatever the site says: were it named by its
 * content, every page of a site would change with every word of any. Characters that file systems do not tell apart, or
 * that mean something in paths, stand as their numbers.
 */
export function rootPath(language: string): string {
  const name = language.replace(/[^a-z0-9-]/g, (character) => `_${character.codePointAt(0)?.toString(16)}`)
  return `_octavo/search-${name}.js`
}
