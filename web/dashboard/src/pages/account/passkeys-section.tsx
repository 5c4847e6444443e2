import { useQuery } from '@tanstack/react-query'
import { addPasskey, canUsePasskeys, isCancelled, type Passkey } from '../../api/passkeys.ts'
import { callAuth } from '../../api/send.ts'
import { useAction } from '../../app/action.tsx'
import { confirmFirst } from '../../app/dialogs.tsx'
import { queryClient } from '../../app/query-client.ts'
import { reloadSession, useSession } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ItemRow, ItemRows } from '../../ui/item-rows.tsx'
import { Section } from '../../ui/page.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'

export const passkeysQuery = {
  queryKey: ['passkeys'],
  queryFn: () => callAuth<Passkey[]>('passkey/list-user-passkeys'),
}

export function PasskeysSection() {
  const { signIn } = useSession()
  const query = useQuery({ ...passkeysQuery, enabled: signIn.passkey })
  const add = useAction({
    failed: t('The passkey was not added'),
    run: async () => {
      try {
        await addPasskey(describeThisDevice())
      } catch (failure) {
        if (isCancelled(failure)) return
        throw failure
      }
      await Promise.all([query.refetch(), reloadSession()])
      toast({ kind: 'done', title: t('Passkey added') })
    },
  })
  if (!signIn.passkey) return null
  return (
    <Section
      title={t('Passkeys')}
      about={t('Sign in with your fingerprint, face or device PIN instead of a password.')}
      actions={
        canUsePasskeys() && (
          <Button icon="plus" isBusy={add.isPending} onClick={() => add.mutate()}>
            {t('Add a passkey')}
          </Button>
        )
      }
    >
      <Loaded query={query} isSmall skeleton={<SkeletonRows count={2} />}>
        {(passkeys) =>
          passkeys.length === 0 ? (
            <p class="text-13 text-soft">
              {canUsePasskeys()
                ? t('None yet.')
                : t('This browser does not support passkeys, or this URL does not use https.')}
            </p>
          ) : (
            <ItemRows label={t('Passkeys')}>
              {passkeys.map((passkey) => (
                <ItemRow
                  key={passkey.id}
                  sign={<Icon name="fingerprint-pattern" class="text-soft" />}
                  title={passkey.name || t('Passkey')}
                  about={rich('added {when}', {
                    when: <RelativeTime at={new Date(passkey.createdAt).toISOString()} />,
                  })}
                >
                  <IconButton
                    icon="trash-2"
                    size="small"
                    label={t('Remove this passkey')}
                    onClick={() => removePasskey(passkey)}
                  />
                </ItemRow>
              ))}
            </ItemRows>
          )
        }
      </Loaded>
    </Section>
  )
}

function removePasskey({ id, name }: Passkey): void {
  confirmFirst({
    title: t('Remove this passkey?'),
    action: t('Remove the passkey'),
    text: t(
      '“{name}” can no longer be used to sign in here. It stays on your device until you remove it there.',
      {
        name: name || t('Passkey'),
      },
    ),
    run: async () => {
      await callAuth('passkey/delete-passkey', { id })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
        reloadSession(),
      ])
    },
  })
}

/** Returns a default name such as `Chrome on Linux`, to distinguish passkeys later. */
function describeThisDevice(): string {
  const agent = navigator.userAgent
  const browser = /Firefox/.test(agent)
    ? 'Firefox'
    : /Edg/.test(agent)
      ? 'Edge'
      : /Chrome/.test(agent)
        ? 'Chrome'
        : 'Safari'
  const system = ['iPhone', 'iPad', 'Android', 'Mac', 'Windows', 'Linux'].find((name) => agent.includes(name))
  return system === undefined ? browser : t('{browser} on {system}', { browser, system })
}
