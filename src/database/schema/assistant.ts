import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { AnswerSource, NearestPage } from '../../features/assistant/operations/assistant.ts'

export interface AssistantTables {
  assistant_corpora: {
    id: GeneratedAlways<number>
    project_id: string
    place: 'hosted' | 'bundle'
    started_at: Date
    passages: number
    instructions: string | null
  }
  assistant_passages: {
    corpus_id: number
    hash: Buffer
    path: string
    anchor: string | null
    title: string
    heading: string
    language: string
    version: string | null
    body: string
    terms: string
  }
  assistant_questions: {
    id: string
    project_id: string
    thread_id: string
    at: Generated<Date>
    path: string | null
    question: string
    status: Generated<'asking' | 'answered' | 'unanswered' | 'failed' | 'stopped'>
    claims: ColumnType<{ text: string; source: AnswerSource }[], string | undefined, string>
    withheld: Generated<number>
    helpful: boolean | null
    language: string | null
    category: 'off_topic' | null
    nearest: ColumnType<NearestPage[], string | undefined, string>
    caller: Generated<'web' | 'api' | 'other'>
  }
  assistant_months: {
    project_id: string
    /** `2026-11-01`. */
    month: string
    questions: Generated<number>
    tokens: Generated<number>
  }
}
