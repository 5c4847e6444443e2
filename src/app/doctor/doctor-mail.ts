/** `octavo doctor`: checks the mail server set by the environment or on the dashboard. */
import { createMailServer, readMailChoice } from '../../features/notifications/mail/mail-setup.ts'
import { testMailServer } from '../../features/notifications/mail/smtp.ts'
import { createEgressGuard } from '../egress.ts'
import { readAuthorities } from '../live/mail-source.ts'
import { readChosenSettings } from './doctor-settings.ts'
import { type DoctorContext, type Finding, fault, ok } from './finding.ts'

const CHECK = 'mail'
const TIMEOUT_MS = 5000

/** Sends no mail. Signs in only with a password from the environment; dashboard passwords stay encrypted. */
export async function checkMail(context: DoctorContext): Promise<Finding | null> {
  const { caFile, ...given } = context.config.mail
  const connectionOptions = {
    authorities: await readAuthorities(caFile),
    guard: createEgressGuard(context.config, 'mail'),
  }
  if (given.host !== null)
    return await contactServer(createMailServer(connectionOptions, given, context.secrets.mailPassword))
  const settings = await readChosenSettings(context)
  if (settings === 'not running')
    return ok(
      CHECK,
      'Not set in the environment. Settings made on the dashboard are only checked while the server runs.',
    )
  // `checkPostgres` reports an unreachable database.
  if (settings === 'away') return null
  return await contactServer(
    createMailServer(connectionOptions, { ...readMailChoice(settings), user: null }, null),
  )
}

async function contactServer(server: ReturnType<typeof createMailServer>): Promise<Finding> {
  if (server === null) return ok(CHECK, 'Not configured, so no mail is sent.')
  const failure = await testMailServer(server, TIMEOUT_MS)
  if (failure !== null) return fault(CHECK, failure.sentence, failure.remedy)
  const { host, port, login } = server
  return ok(CHECK, `${host}:${port} responds${login === null ? '' : ' and accepts the sign-in'}.`)
}
