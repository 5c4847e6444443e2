/** `octavo doctor`: checks the mail server set by the environment or on the dashboard. */
import { chosenMail, serverOf } from '../../features/notifications/mail/mail-setup.ts'
import { askMailServer } from '../../features/notifications/mail/smtp.ts'
import { egressGuard } from '../egress.ts'
import { readAuthorities } from '../live/mail-source.ts'
import { readChosenSettings } from './doctor-settings.ts'
import { type Finding, fault, ok, type Patient } from './finding.ts'

const CHECK = 'mail'
const MOST_MS = 5000

/**
 * Sends no mail. Signs in only with a password from the environment, since one from the dashboard stays encrypted.
 */
export async function checkMail(patient: Patient): Promise<Finding | null> {
  const { caFile, ...given } = patient.config.mail
  const way = { authorities: await readAuthorities(caFile), guard: egressGuard(patient.config, 'mail') }
  if (given.host !== null) return await askServer(serverOf(way, given, patient.secrets.mailPassword))
  const settings = await readChosenSettings(patient)
  if (settings === 'not running')
    return ok(CHECK, 'The environment names none; what the dashboard says is seen while the server runs.')
  // Another check reports this.
  if (settings === 'away') return null
  return await askServer(serverOf(way, { ...chosenMail(settings), user: null }, null))
}

async function askServer(server: ReturnType<typeof serverOf>): Promise<Finding> {
  if (server === null) return ok(CHECK, 'None is configured, so no mail is sent.')
  const failure = await askMailServer(server, MOST_MS)
  if (failure !== null) return fault(CHECK, failure.sentence, failure.remedy)
  const { host, port, login } = server
  return ok(CHECK, `${host}:${port} answers${login === null ? '' : ' and accepts the sign-in'}.`)
}
