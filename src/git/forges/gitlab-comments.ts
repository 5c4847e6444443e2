/** Review comments on GitLab, by discussion. */
import type { MergeRequestDiscussions, ProjectMembers } from '@gitbeaker/rest'
import { nullIfNotFound } from './forge-errors.ts'
import {
  COMMENTS_PER_PAGE,
  type ListedComment,
  type ReviewComments,
  readPages,
  sortComments,
} from './review-comments.ts'

export interface GitlabResources {
  discussions: InstanceType<typeof MergeRequestDiscussions>
  members: InstanceType<typeof ProjectMembers>
}
export type GitlabCaller = <T>(work: (resources: GitlabResources) => Promise<T>) => Promise<T>

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
  callApi: GitlabCaller,
  project: string,
  number: number,
): Promise<ReviewComments> {
  const threads = await readPages((page) =>
    callApi(async ({ discussions }) => {
      const listed = await discussions.all(project, number, { perPage: COMMENTS_PER_PAGE, page })
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
        mayWrite: () => isWriter(callApi, project, author.id),
      }),
    ),
  )
}

async function isWriter(callApi: GitlabCaller, project: string, userId: number): Promise<boolean> {
  const membershipRequest = callApi(({ members }) =>
    members.show(project, userId, { includeInherited: true }),
  )
  const member = (await nullIfNotFound(membershipRequest)) as { access_level: number } | null
  return member !== null && member.access_level >= WRITES
}

/** Replies in the thread; replying to a standalone comment starts one. */
export async function answerAtGitlab(
  callApi: GitlabCaller,
  project: string,
  number: number,
  { id, text }: { id: string; text: string },
): Promise<void> {
  const [thread = ''] = id.split(':')
  await callApi(({ discussions }) => discussions.addNote(project, number, thread, text))
}
