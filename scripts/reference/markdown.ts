/** Helpers that assemble MDX from text. */

export function page(frontmatter: Record<string, string>, body: string): string {
  const lines = Object.entries(frontmatter).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `---\n${lines.join('\n')}\n---\n\n{/* Made from the program by \`npm run reference\`. */}\n\n${body}`
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  return line(heads) + line(heads.map(() => '---')) + rows.map(line).join('')
}

export function inCell(text: string): string {
  return text.replace(/[<{|*_`\\]/g, (mark) => `\\${mark}`).replace(/(https?):\/\//g, '$1&#58;//')
}
