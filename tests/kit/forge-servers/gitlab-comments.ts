/** Merge request threads and write permissions of GitLab. */
import type { ApiAnswer, ApiRequest } from './forge-api.ts'
import type { ForgeState, KeptComment } from './forge-state.ts'
import { answerAboutReports, GITLAB_REPORTS } from './report-answers.ts'

/** Derives a stable numeric id from the name, because GitLab looks up members by id. */
export const userId = (author: string) => Buffer.from(author).readUIntBE(0, 4)

export function answerAboutComments(
  state: ForgeState,
  project: string,
  { method, path, query, body }: ApiRequest,
): ApiAnswer | null {
  if (!path.startsWith(`${project}/`)) return null
  const reported = answerAboutReports(
    { state, base: project, status: showStatus, comment: showNote, reaction: showAward },
    GITLAB_REPORTS,
    { method, path, query, body, token: null },
  )
  if (reported !== null) return reported
  const route = `${method} ${path.slice(project.length)}`
  let match = /^GET \/merge_requests\/(\d+)\/discussions$/.exec(route)
  if (match) {
    const size = Number(query.get('per_page') ?? 20)
    const start = (Number(query.get('page') ?? 1) - 1) * size
    const threads = state.comments.filter(
      ({ request, answers }) => request === Number(match?.[1]) && answers === null,
    )
    const shown = threads.map((first) => ({
      id: threadId(first.id),
      individual_note: first.path === null,
      notes: [first, ...state.comments.filter(({ answers }) => answers === first.id)].map(showNote),
    }))
    return { status: 200, body: shown.slice(start, start + size) }
  }
  match = /^POST \/merge_requests\/(\d+)\/discussions\/(\w+)\/notes$/.exec(route)
  if (match) {
    const [, request, thread] = match
    const above = state.comments.find(({ id }) => threadId(id) === thread)
    if (above === undefined) return { status: 404, body: { message: '404 Discussion Not Found' } }
    const { id: answers, path: file, line } = above
    const said = { request: Number(request), author: 'octavo', text: String(body.body), path: file, line }
    return { status: 201, body: showNote(state.say({ ...said, answers })) }
  }
  match = /^GET \/members\/all\/(\d+)$/.exec(route)
  if (match) {
    const people = state.comments.flatMap(({ author, reactions }) => [
      author,
      ...reactions.map((one) => one.author),
    ])
    const author = people.find((one) => userId(one) === Number(match?.[1])) ?? ''
    if (author === 'stranger') return { status: 404, body: { message: '404 Not found' } }
    const member = { ...showUser(author), access_level: state.writers.has(author) ? 30 : 20 }
    return { status: 200, body: member }
  }
  return null
}

const threadId = (id: number) => id.toString(16).padStart(40, '0')

export function showUser(author: string) {
  return { id: userId(author), username: author, name: author, state: 'active' }
}

function showStatus({ state, ...said }: { [key: string]: unknown }) {
  return { id: 7, status: state, ...said, sha: '0'.repeat(40), allow_failure: false }
}

function showAward({ name, author, createdAt }: KeptComment['reactions'][number], id: number) {
  const at = { created_at: createdAt, updated_at: createdAt }
  return { id, name, user: showUser(author), ...at, awardable_id: 1, awardable_type: 'Note' }
}

function showNote({ id, author, text, path, line, createdAt, updatedAt }: KeptComment) {
  return {
    id,
    type: path === null ? null : 'DiffNote',
    body: text,
    author: showUser(author),
    created_at: createdAt,
    updated_at: updatedAt,
    system: false,
    noteable_type: 'MergeRequest',
    resolvable: path !== null,
    ...(path !== null && {
      resolved: false,
      position: { old_path: path, new_path: path, position_type: 'text', old_line: null, new_line: line },
    }),
  }
}
