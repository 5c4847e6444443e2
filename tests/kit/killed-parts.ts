/** Sites that use every helper process there is, and the kill of one in the middle of an export. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OctavoClient } from '../../src/client/client.ts'
import { processTree } from './processes.ts'
import { smallSite } from './site.ts'

/** What runs in the browser, what runs at the build and takes a while, and plain pages. */
export function siteOfParts(mark: string, pages: number, pictures = 0): Record<string, string> {
  const files = smallSite(pages)
  for (let number = 0; number < pictures; number++)
    files[`images/${number}.svg`] =
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>${mark} ${number}</title></svg>`
  const pagesOfSite = Object.entries(files).filter(([path]) => path.endsWith('.mdx'))
  // One for each page, so that the program that translates them is at work until all pages are.
  for (const [index, [path, text]] of pagesOfSite.entries()) {
    files[`snippets/counter-${index}.jsx`] =
      `export const Counter = () => {\n  const [count, setCount] = useState(${index})\n  return <button onClick={() => setCount(count + 1)}>${mark} {count}</button>\n}\n`
    files[path] =
      `${text.replace('---\n\n', `---\nimport { Counter } from '/snippets/counter-${index}.jsx'\n\n`)}\n${mark}\n\n<Counter />\n\n{[...Array(40000).keys()].filter((n) => n % 7).map((n) => Math.sqrt(n)).length}\n`
  }
  return files
}

export interface Part {
  name: string
  command: RegExp
  /** How often it is killed, and from which progress on. */
  kills: number
  from: number
  /** Some of them rest: nobody misses one that is killed then, and another one is. */
  mayRest?: true
  /** In the site beside its pages: what keeps the part at work for longer than it takes to find it. */
  pictures?: number
}

export const ESBUILD = /esbuild\S* --service/
export const PARTS: readonly Part[] = [
  { name: 'the program that translates components', command: ESBUILD, kills: 1, from: 20 },
  { name: 'a render child', command: /render\/child\/main/, kills: 3, from: 10 },
  { name: 'the process of a site', command: /sandbox\/inside\/main/, kills: 1, from: 20 },
  { name: 'git', command: /git\S* cat-file --batch/, kills: 1, from: 0, mayRest: true, pictures: 2000 },
]

const STOPPED_MS = 500
const NOTICE_MS = 1000

/** Those of the part that rest, to be asked for before a job begins: they are of earlier ones. */
export async function restingOf(root: number, { command, mayRest }: Part): Promise<Set<number>> {
  const found = mayRest ? await processTree(root) : []
  return new Set(found.filter((one) => command.test(one.command)).map(({ pid }) => pid))
}

/**
 * Kills processes of the part below `root`, one after the other, as soon as there is one and the job has come so far.
 * Answers how many. `noticed` counts what the log says of it; those of `resting` are left alone.
 */
export async function killPart(
  client: OctavoClient,
  jobId: string,
  root: number,
  { command, kills, from, mayRest }: Omit<Part, 'name'>,
  noticed: () => number = () => Number.POSITIVE_INFINITY,
  resting: ReadonlySet<number> = new Set(),
): Promise<number> {
  const killed = new Set(resting)
  let missed = 0
  while (missed < kills) {
    const { status, progress } = await client.getExport(jobId)
    if (status === 'completed' || status === 'failed') break
    if (progress < from) continue
    const found = (await processTree(root)).find((one) => command.test(one.command) && !killed.has(one.pid))
    if (found === undefined) continue
    try {
      // What it is asked stays with it from here on: it is not killed when its work is done.
      process.kill(found.pid, 'SIGSTOP')
      await sleep(STOPPED_MS)
      process.kill(found.pid, 'SIGKILL')
    } catch {
      continue // it came to its end
    }
    killed.add(found.pid)
    await sleep(300)
    for (const end = Date.now() + NOTICE_MS; mayRest && noticed() <= missed && Date.now() < end; )
      await sleep(20)
    if (!mayRest || noticed() > missed) missed += 1
  }
  return missed
}
