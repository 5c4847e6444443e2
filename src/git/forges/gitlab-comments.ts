/** Review comments on GitLab, by discussion. */
import type { MergeRequestDiscussions, ProjectMembers } from '@gitbeaker/rest'
import { nullWhenMissing } from './forge-refusal.ts'
import {
  COMMENTS_OF_PAGE,
  type ListedComment,
  type ReviewComments,
  readPages,
  sortComments,
} from './review-comments.ts'

export interface GitlabResources {
  discussions: InstanceType<typeof MergeRequestDiscussions>
  members: InstanceType<typeof ProjectMembers>
}
export type AskGitlab = <T>(work: (resources: GitlabResources) => Promise<T>) => Promise<T>

/** Subset of GitLab's response that is used. */
interface Discussion {
  id: string
  notes: {
    id: number
    body: string
    author: { id: number; username: string }
    system: boolean
    resolved?: boolean | null
    created_at: string
    position?: { new_path: string | null; new_line: number | null } | null
  }[]
}

/** Access level "Developer", the lowest that may push. */
const WRITES = 30
/** User names of project and group tokens and service accounts. */
const PROGRAM = /^(?:project|group)_\d+_bot|^service_account_|-bot$|^ghost\d*$/

export async function readGitlabComments(
  ask: AskGitlab,
  project: string,
  number: number,
): Promise<ReviewComments> {
  const threads = await readPages((page) =>
    ask(async ({ discussions }) => {
      const listed = await discussions.all(project, number, { perPage: COMMENTS_OF_PAGE, page })
      return listed as unknown as Discussion[]
    }),
  )
  const listed = threads
    .flatMap(({ id, notes }) => notes.map((note) => ({ ...note, thread: id })))
    .filter(({ system, author }) => !system && !PROGRAM.test(author.username))
    .sort((a, b) => a.id - b.id)
  return await sortComments(
    listed.map(
      ({ id, thread, author, body, position }): ListedComment => ({
        id: `${thread}:${id}`,
        author: author.username,
        path: position?.new_path ?? null,
        line: position?.new_line ?? null,
        text: body,
        mayWrite: () => isWriter(ask, project, author.id),
      }),
    ),
  )
}

async function isWriter(ask: AskGitlab, project: string, userId: number): Promise<boolean> {
  const asked = ask(({ members }) => members.show(project, userId, { includeInherited: true }))
  const member = (await nullWhenMissing(asked)) as { access_level: number } | null
  return member !== null && member.access_level >= WRITES
}

/** Replies in the thread; replying to a standalone comment starts one. */
export async function answerAtGitlab(
  ask: AskGitlab,
  project: string,
  number: number,
  { id, text }: { id: string; text: string },
): Promise<void> {
  const [thread = ''] = id.split(':')
  await ask(({ discussions }) => discussions.addNote(project, number, thread, text))
}
