/** What comes after a state is shown: open pages are told, then the pages that nobody has asked for are looked over. */
import { setTimeout } from 'node:timers/promises'
import type { Problem } from '../base/errors/problem.ts'
import type { Log } from '../base/log.ts'
import { isMachinery } from '../base/machinery-error.ts'
import type { LiveSite } from '../render/live-site.ts'
import type { FolderState } from './folder-states.ts'
import type { PageEvents } from './page-events.ts'
import type { PreviewReport } from './preview-report.ts'
import { createProblemNews, type ProblemNews } from './problem-news.ts'

/** A state that was just made the one that is shown. */
export interface Following {
  state: FolderState
  live: LiveSite | null
  /** Aborts when the next one comes. */
  ended: AbortSignal
  /** By the clock of `performance`. */
  started: number
  /** What it differs in from no state at all is not told. */
  isFirst: boolean
}

export interface Teller {
  fault(error: unknown): void
  /** A fault that comes after this is a new one. */
  folderIsRead(): void
  siteProblems(problems: readonly Problem[]): void
  pageProblems(problems: readonly Problem[]): void
}

/** After a state is shown. */
const LOOK_OVER_MS = 150

/** A fault that lasts is told once; of problems is told what came and what went. */
export function createTeller(report: (event: PreviewReport) => void): Teller {
  const news = { site: createProblemNews(), pages: createProblemNews() }
  let lastFault = ''
  const tell = ({ fresh, solved }: ProblemNews) => {
    if (fresh.length > 0 || solved > 0) report({ kind: 'problems', fresh, solved })
  }
  return {
    fault(error) {
      const message = error instanceof Error ? error.message : String(error)
      if (message !== lastFault) report({ kind: 'fault', error })
      lastFault = message
    },
    folderIsRead() {
      lastFault = ''
    },
    siteProblems: (problems) => tell(news.site(problems)),
    pageProblems: (problems) => tell(news.pages(problems)),
  }
}

interface FollowerParts {
  report: (event: PreviewReport) => void
  events: PageEvents
  teller: Teller
  log: Log
  /** Of the whole preview. */
  stop: AbortSignal
}

export function createFollower(parts: FollowerParts): (following: Following) => Promise<void> {
  const { report, events, teller } = parts
  /** Files that have changed since a state was last reported. */
  const untold = new Set<string>()
  return async (following) => {
    const { state, ended, started, isFirst } = following
    for (const path of isFirst ? [] : state.changed) untold.add(path)
    await events.tell()
    if (ended.aborted) return
    const milliseconds = performance.now() - started
    report({ kind: 'shown', changed: [...untold], milliseconds, pages: state.site?.pages.size ?? 0 })
    untold.clear()
    teller.siteProblems(state.problems.filter(({ level }) => level !== 'hint'))
    await lookOver(following, parts)
  }
}

/** Problems that the site itself has were told when it was shown. */
async function lookOver({ state, live, ended }: Following, parts: FollowerParts): Promise<void> {
  const { report, events, teller, log, stop } = parts
  if (!live) return
  try {
    // Open pages are loading themselves again.
    await setTimeout(LOOK_OVER_MS, null, { signal: ended })
    await events.tellNotes()
    await live.survey(ended)
    const known = new Set(state.problems.map((one) => JSON.stringify(one)))
    const all = await live.problems()
    if (ended.aborted) return
    teller.pageProblems(all.filter((one) => !known.has(JSON.stringify(one))))
    await events.tellNotes()
    report({ kind: 'surveyed' })
  } catch (error) {
    if (ended.aborted || stop.aborted) return
    if (isMachinery(error)) teller.fault(error)
    else log.debug({ error }, 'preview.survey_failed')
  }
}
