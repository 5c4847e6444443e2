/** Assembles the source of the mail settings from the configuration. */
import { readFile } from 'node:fs/promises'
import { createSecretBox, type SecretBox } from '../../base/secret-box.ts'
import type { MailChoice } from '../../features/notifications/mail/mail-choice.ts'
import type { MailSource } from '../../features/notifications/mail/mail-setup.ts'
import { createUnsubscribeTokens } from '../../features/notifications/mail/unsubscribe.ts'
import { type Config, ConfigError, type Secrets } from '../config/config.ts'
import { OPTIONS } from '../config/config-options.ts'
import { createEgressGuard } from '../egress.ts'

export async function createMailSource(
  config: Pick<Config, 'mail' | 'privateHosts'>,
  { mailPassword }: Pick<Secrets, 'mailPassword'>,
  { secret, instanceSecrets }: { secret: string; instanceSecrets: SecretBox },
): Promise<MailSource> {
  const { caFile, ...choice } = config.mail
  const authorities = await readAuthorities(caFile)
  return {
    environmentMail:
      choice.host === null ? null : { choice, password: mailPassword, variables: listVariables(choice) },
    instanceSecrets,
    linkSecrets: createSecretBox(secret, 'links of mails'),
    unsubscribe: createUnsubscribeTokens(secret),
    authorities,
    guard: createEgressGuard(config, 'mail'),
  }
}

/** Reads certificate authorities. Null uses those built into Node. Throws ConfigError if the file cannot be read. */
export async function readAuthorities(caFile: string | null): Promise<string | null> {
  if (caFile === null) return null
  return await readFile(caFile, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new ConfigError([`OCTAVO_MAIL_CA_FILE cannot be read (${code}).`])
  })
}

function listVariables({ port, user }: MailChoice): string[] {
  return [
    OPTIONS.mailHost.env,
    ...(port === null ? [] : [OPTIONS.mailPort.env]),
    ...(user === null ? [] : [OPTIONS.mailUser.env, OPTIONS.mailPassword.env]),
    OPTIONS.mailFrom.env,
  ]
}
