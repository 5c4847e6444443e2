/** Steps after a state is shown: open pages are notified, then pages not requested so far are checked. */
import { setTimeout } from 'node:timers/promises'
import type { Problem } from '../base/errors/problem.ts'
import type { Log } from '../base/log.ts'
import { isMachinery } from '../base/machinery-error.ts'
import type { LiveSite } from '../render/live-site.ts'
import type { FolderState } from './folder-states.ts'
import type { PageEvents } from './page-events.ts'
import type { PreviewReport } from './preview-report.ts'
import { createProblemNews, type ProblemNews } from './problem-news.ts'

/** A state that has just become the current one. */
export interface Following {
  state: FolderState
  live: LiveSite | null
  /** Aborts when the next state is shown. */
  ended: AbortSignal
  /** In milliseconds, from `performance.now()`. */
  started: number
  /** Changes are not reported for the first state. */
  isFirst: boolean
}

export interface Teller {
  fault(error: unknown): void
  /** Ends a fault: a later one is reported again. */
  folderIsRead(): void
  siteProblems(problems: readonly Problem[]): void
  pageProblems(problems: readonly Problem[]): void
}

/** Delay after a state is shown, before the other pages are checked. */
const LOOK_OVER_MS = 150

/** Reports a lasting fault only once, and problems only as they appear and disappear. */
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
  /** Aborts when the preview stops. */
  stop: AbortSignal
}

export function createFollower(parts: FollowerParts): (following: Following) => Promise<void> {
  const { report, events, teller } = parts
  /** Files that changed since a state was last reported. */
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

/** Checks the remaining pages. Problems of the site itself were reported when it was shown. */
async function lookOver({ state, live, ended }: Following, parts: FollowerParts): Promise<void> {
  const { report, events, teller, log, stop } = parts
  if (!live) return
  try {
    // Give open pages time to reload.
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
