/** The sessions of who is signed in: listed, ended. */
import * as sessions from '../../../accounts/sessions.ts'
import type { Person } from '../../../accounts/sign-in.ts'
import { AppError } from '../../../contract/errors.ts'
import type { DashboardAnswerOf, DashboardCallOf, Visitor } from '../../handler.ts'

export async function listSessions({
  db,
  caller,
}: DashboardCallOf<'listSessions'>): DashboardAnswerOf<'listSessions'> {
  return { body: await sessions.listSessions(db, needPerson(caller)) }
}

export async function endSession({
  tx,
  caller,
  params,
}: DashboardCallOf<'endSession'>): DashboardAnswerOf<'endSession'> {
  if (!(await sessions.endSession(tx, needPerson(caller), params.sessionId))) throw new AppError('not_found')
  return { body: { ended: 1 } }
}

export async function endOtherSessions({
  tx,
  caller,
}: DashboardCallOf<'endOtherSessions'>): DashboardAnswerOf<'endOtherSessions'> {
  return { body: { ended: await sessions.endOtherSessions(tx, needPerson(caller)) } }
}

function needPerson({ person }: Visitor): Person {
  if (person === null) throw new AppError('signed_out')
  return person
}
