/** Sites that use every kind of helper process, and a function that kills such processes during an export. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OctavoClient } from '../../src/client/client.ts'
import { processTree } from './processes.ts'
import { smallSite } from './site.ts'

/** Returns pages with interactive components and slow build-time expressions, and optionally pictures. */
export function siteOfParts(mark: string, pages: number, pictures = 0): Record<string, string> {
  const files = smallSite(pages)
  for (let number = 0; number < pictures; number++)
    files[`images/${number}.svg`] =
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>${mark} ${number}</title></svg>`
  const pagesOfSite = Object.entries(files).filter(([path]) => path.endsWith('.mdx'))
  // One component per page keeps the compiler process busy until all pages are done.
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
  /** Number of kills, starting at the progress `from`. */
  kills: number
  from: number
  /** Some of these processes may be idle. Killing an idle one goes unnoticed, so another one is killed. */
  mayRest?: true
  /** Number of extra pictures in the site, so that the part stays busy for longer than it takes to find it. */
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

/** Returns the idle processes of a part. Call it before a job starts: they belong to earlier jobs. */
export async function restingOf(root: number, { command, mayRest }: Part): Promise<Set<number>> {
  const found = mayRest ? await processTree(root) : []
  return new Set(found.filter((one) => command.test(one.command)).map(({ pid }) => pid))
}

/**
 * Kills processes of the part below `root` one after the other, once the job has reached the progress `from`. Returns
 * the number of kills. `noticed` returns how many were logged so far; processes in `resting` are not killed.
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
      // Stop it first: from now on requests stay unanswered, so it has not finished its work when it is killed.
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
