import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export async function writeSite(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const place = join(folder, path)
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, text)
  }
}

/** Returns a valid site with the pages `index` and `page-1` to `page-<count>`. */
export function smallSite(count = 3): Record<string, string> {
  const names = Array.from({ length: count }, (_, index) => `page-${index + 1}`)
  const files: Record<string, string> = {
    'docs.json': JSON.stringify({
      theme: 'mint',
      name: 'Small',
      colors: { primary: '#4F46E5' },
      navigation: { groups: [{ group: 'All', pages: ['index', ...names] }] },
    }),
    'index.mdx': '---\ntitle: Home\n---\n\nWelcome to the [first page](/page-1).\n',
  }
  for (const name of names)
    files[`${name}.mdx`] =
      `---\ntitle: "${name}"\n---\n\n## Section\n\nText of ${name}.\n\n\`\`\`js\nconst page = '${name}'\n\`\`\`\n`
  return files
}
