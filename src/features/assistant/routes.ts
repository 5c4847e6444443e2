/** Routes for questions to the assistant of a project. */

import { faultAt } from '../../base/errors/fault.ts'
import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { Queries } from '../../database/database.ts'
import { type Handlers, parsing, type StreamResponse, validating } from '../../routing/handler.ts'
import type { AnalyticsQuery } from '../analytics/operations/analytics.ts'
import { parseRange, type Range } from '../analytics/range.ts'
import { THREAD_ID } from './operations/assistant.ts'
import type { ASSISTANT_OPERATIONS, AssistantQuery } from './operations/assistant-analytics.ts'
import {
  countCallers,
  countQuestions,
  exportQuestions,
  listQuestions,
  readThread,
} from './question-reports.ts'

interface Call<Query> {
  db: Queries
  caller: { organizationId: string }
  params: { projectId: string }
  query: Query
}

const scopeOf = ({ caller, params }: Pick<Call<unknown>, 'caller' | 'params'>) => ({
  organizationId: caller.organizationId,
  ...params,
})

const withRange = <Query, Result>(handle: (call: Call<Query>, range: Range) => Promise<Result>) =>
  parsing(({ query }) => parseRange(query), handle)

export function assistantHandlers(deps: { cursors: CursorCodec }): Handlers<typeof ASSISTANT_OPERATIONS> {
  return {
    getAssistant: withRange(async (call: Call<AssistantQuery>, range) => ({
      body: await listQuestions(deps, call.db, scopeOf(call), range, call.query),
    })),
    getAssistantByPage: withRange(async (call: Call<AnalyticsQuery>, range) => ({
      body: await countQuestions(call.db, scopeOf(call), { by: 'path', range }, call.query),
    })),
    getAssistantByDay: withRange(async (call: Call<AnalyticsQuery>, range) => ({
      body: await countQuestions(call.db, scopeOf(call), { by: 'date', range }, call.query),
    })),
    getAssistantThread: validating(
      ({ params: { threadId = '' } }) =>
        THREAD_ID.test(threadId) ? [] : [faultAt('threadId', 'invalid_thread')],
      async (call: Call<unknown> & { params: { threadId: string } }) => ({
        body: await readThread(call.db, scopeOf(call), call.params.threadId),
      }),
    ),
    getAssistantCallerStats: withRange(async (call: Call<unknown>, range) => ({
      body: await countCallers(call.db, scopeOf(call), range),
    })),
    exportAssistant: withRange(
      async (call: Call<{ by?: 'question' | 'page' | 'day' }>, range): Promise<StreamResponse> => {
        const { by = 'question' } = call.query
        const { filename, lines } = await exportQuestions(call.db, scopeOf(call), { by, range })
        return {
          contentType: 'text/csv',
          body: lines,
          headers: { 'Content-Disposition': `attachment; filename="${filename}"` },
        }
      },
    ),
  }
}
