/** Steps after a state is shown: open pages are notified, then pages not requested so far are checked. */
import { setTimeout } from 'node:timers/promises'
import type { Problem } from '../base/errors/problem.ts'
import { isInternalError } from '../base/internal-error.ts'
import type { Log } from '../base/log.ts'
import type { LiveSite } from '../render/live-site.ts'
import type { FolderState } from './folder-states.ts'
import type { PageEvents } from './page-events.ts'
import type { PreviewReport } from './preview-report.ts'
import { createProblemTracker, type ProblemChanges } from './problem-tracker.ts'

/** A state that has just become the current one. */
export interface StateUpdate {
  state: FolderState
  live: LiveSite | null
  /** Aborts when the next state is shown. */
  ended: AbortSignal
  /** In milliseconds, from `performance.now()`. */
  started: number
  /** Changes are not reported for the first state. */
  isFirst: boolean
}

export interface Reporter {
  fault(error: unknown): void
  /** Ends a fault: a later one is reported again. */
  clearFault(): void
  siteProblems(problems: readonly Problem[]): void
  pageProblems(problems: readonly Problem[]): void
}

/** Delay after a state is shown, before the other pages are checked. */
const CHECK_DELAY_MS = 150

/** Reports a lasting fault only once, and problems only as they appear and disappear. */
export function createReporter(report: (event: PreviewReport) => void): Reporter {
  const trackers = { site: createProblemTracker(), pages: createProblemTracker() }
  let lastFault = ''
  const reportChanges = ({ fresh, solved }: ProblemChanges) => {
    if (fresh.length > 0 || solved > 0) report({ kind: 'problems', fresh, solved })
  }
  return {
    fault(error) {
      const message = error instanceof Error ? error.message : String(error)
      if (message !== lastFault) report({ kind: 'fault', error })
      lastFault = message
    },
    clearFault() {
      lastFault = ''
    },
    siteProblems: (problems) => reportChanges(trackers.site(problems)),
    pageProblems: (problems) => reportChanges(trackers.pages(problems)),
  }
}

interface FollowerDeps {
  report: (event: PreviewReport) => void
  events: PageEvents
  reporter: Reporter
  log: Log
  /** Aborts when the preview stops. */
  stop: AbortSignal
}

export function createFollower(parts: FollowerDeps): (stateUpdate: StateUpdate) => Promise<void> {
  const { report, events, reporter } = parts
  /** Files that changed since a state was last reported. */
  const unreportedFiles = new Set<string>()
  return async (stateUpdate) => {
    const { state, ended, started, isFirst } = stateUpdate
    for (const path of isFirst ? [] : state.changed) unreportedFiles.add(path)
    await events.notify()
    if (ended.aborted) return
    const milliseconds = performance.now() - started
    report({ kind: 'shown', changed: [...unreportedFiles], milliseconds, pages: state.site?.pages.size ?? 0 })
    unreportedFiles.clear()
    reporter.siteProblems(state.problems.filter(({ level }) => level !== 'hint'))
    await checkRemainingPages(stateUpdate, parts)
  }
}

/** Checks the remaining pages. Problems of the site itself were reported when it was shown. */
async function checkRemainingPages({ state, live, ended }: StateUpdate, parts: FollowerDeps): Promise<void> {
  const { report, events, reporter, log, stop } = parts
  if (!live) return
  try {
    // Give open pages time to reload.
    await setTimeout(CHECK_DELAY_MS, null, { signal: ended })
    await events.notifyProblems()
    await live.survey(ended)
    const siteProblemKeys = new Set(state.problems.map((one) => JSON.stringify(one)))
    const all = await live.problems()
    if (ended.aborted) return
    reporter.pageProblems(all.filter((one) => !siteProblemKeys.has(JSON.stringify(one))))
    await events.notifyProblems()
    report({ kind: 'surveyed' })
  } catch (error) {
    if (ended.aborted || stop.aborted) return
    if (isInternalError(error)) reporter.fault(error)
    else log.debug({ error }, 'preview.survey_failed')
  }
}
