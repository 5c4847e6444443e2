/** Queries of the builder as prepared statements. */
import type { Compilable } from 'kysely'
import type { Queries } from './database.ts'
import { prepared } from './prepared-texts.ts'

/** Its text may have few forms: values are no part of it. */
export async function askPrepared<Row>(queries: Queries, query: Compilable<Row>): Promise<Row[]> {
  const compiled = query.compile()
  prepared(compiled.sql)
  return (await queries.executeQuery(compiled)).rows
}
