/** Reports the outcome of commits to GitLab: as pipeline statuses, and in one note on the merge request. */
import type { Commits, MergeRequestNotes } from '@gitbeaker/rest'
import { STATUS_NAME, upsertComment } from './commit-report.ts'
import type { Forge } from './forge.ts'
import { refusalStatus } from './forge-errors.ts'
import { COMMENTS_PER_PAGE } from './review-comments.ts'

interface ReportResources {
  commits: InstanceType<typeof Commits>
  notes: InstanceType<typeof MergeRequestNotes>
}

const STATES = { pending: 'pending', success: 'success', failure: 'failed' } as const

export function gitlabReports(
  project: string,
  callApi: <T>(signal: AbortSignal, work: (resources: ReportResources) => Promise<T>) => Promise<T>,
): Pick<Forge, 'setStatus' | 'keepComment'> {
  return {
    async setStatus({ commit, branch, state, description, url }, signal) {
      const options = {
        name: STATUS_NAME,
        ...{ description, targetUrl: url },
        ...(branch !== null && { ref: branch }),
      }
      try {
        await callApi(signal, ({ commits }) => commits.editStatus(project, commit, STATES[state], options))
      } catch (error) {
        // GitLab rejects setting a status that is already set.
        if (refusalStatus(error) !== 400 || !/Cannot transition status/i.test((error as Error).message))
          throw error
      }
    },
    keepComment: (id, comment, signal) =>
      upsertComment(
        {
          list: (page) =>
            callApi(signal, async ({ notes }) => {
              const of = { sort: 'asc', orderBy: 'created_at', perPage: COMMENTS_PER_PAGE, page } as const
              const listed = await notes.all(project, Number(id), of)
              return listed.map((one) => ({ id: one.id, body: one.body }))
            }),
          edit: (note, body) =>
            callApi(signal, ({ notes }) => notes.edit(project, Number(id), note, { body })),
          create: (body) => callApi(signal, ({ notes }) => notes.create(project, Number(id), body)),
        },
        comment,
      ),
  }
}
