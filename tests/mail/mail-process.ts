/** Process that sends the due emails of the database in its first argument, to be killed by tests. */
import { readFileSync } from 'node:fs'
import { silentLog } from '../../src/base/log.ts'
import { createSecretBox } from '../../src/base/secret-box.ts'
import { openDatabase } from '../../src/database/database.ts'
import type { MailSource } from '../../src/features/notifications/mail/mail-setup.ts'
import { sendDueMails } from '../../src/features/notifications/mail/send-mails.ts'
import { createUnsubscribeTokens } from '../../src/features/notifications/mail/unsubscribe.ts'
import { listedGuard } from '../kit/git.ts'

const [url = '', port = '', caFile = ''] = process.argv.slice(2)
const database = await openDatabase({ url, poolSize: 5, allowFsyncOff: true, log: silentLog })
const source: MailSource = {
  environmentMail: {
    choice: {
      host: '127.0.0.1',
      port: Number(port),
      tls: 'starttls',
      user: null,
      from: 'docs@acme.example.com',
    },
    password: null,
    variables: [],
  },
  instanceSecrets: createSecretBox('the tests', 'instance settings'),
  linkSecrets: createSecretBox('the tests', 'links of mails'),
  unsubscribe: createUnsubscribeTokens('the tests'),
  authorities: readFileSync(caFile, 'utf8'),
  guard: listedGuard,
}
process.send?.('ready')
for (;;) {
  await sendDueMails(
    {
      database,
      source,
      publicUrl: () => 'https://octavo.example.com',
      environmentSignIn: { provider: null, variables: [] },
      log: silentLog,
    },
    new AbortController().signal,
  )
  await new Promise((resolve) => setTimeout(resolve, 5))
}
