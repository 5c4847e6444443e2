import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { addPasskey, canUsePasskeys, isCancelled, type Passkey } from '../../api/passkeys.ts'
import { callAuth } from '../../api/send.ts'
import { queryClient } from '../../app/query-client.ts'
import { reloadSession, useSession } from '../../app/session.ts'
import { toast, toastFailure } from '../../app/toasts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/page.tsx'
import { ErrorState, SkeletonRows } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { rich, t } from '../../words/words.ts'

export const passkeysQuery = {
  queryKey: ['passkeys'],
  queryFn: () => callAuth<Passkey[]>('passkey/list-user-passkeys'),
}

export function PasskeysSection() {
  const { signIn } = useSession()
  const { data, error, refetch } = useQuery({ ...passkeysQuery, enabled: signIn.passkey })
  const [isBusy, setBusy] = useState(false)
  const [leaving, setLeaving] = useState<Passkey | null>(null)
  if (!signIn.passkey) return null
  const add = async () => {
    setBusy(true)
    try {
      await addPasskey(describeThisDevice())
      await Promise.all([refetch(), reloadSession()])
      toast({ kind: 'done', title: t('Passkey added') })
    } catch (failure) {
      if (!isCancelled(failure)) toastFailure(t('No passkey was added'), failure)
    }
    setBusy(false)
  }
  return (
    <Section
      title={t('Passkeys')}
      about={t('Sign in with the fingerprint, face or code of a device, without a password.')}
      actions={
        canUsePasskeys() && (
          <Button icon="plus" isBusy={isBusy} onClick={() => void add()}>
            {t('Add a passkey')}
          </Button>
        )
      }
    >
      <Card>
        {error !== null && <ErrorState error={error} isSmall onRetry={refetch} />}
        {data === undefined && error === null && <SkeletonRows count={2} />}
        {data?.length === 0 && (
          <p class="px-4 py-3 text-13 text-soft">
            {canUsePasskeys()
              ? t('None yet.')
              : t('This browser has no passkeys, or the address is not https.')}
          </p>
        )}
        {data?.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setLeaving(passkey)} />
        ))}
      </Card>
      {leaving !== null && <RemoveDialog passkey={leaving} onClose={() => setLeaving(null)} />}
    </Section>
  )
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  return (
    <div class="flex min-h-11 items-center gap-3 border-b border-line px-4 last:border-b-0">
      <Icon name="fingerprint-pattern" class="text-soft" />
      <span class="min-w-0 flex-1 truncate">{passkey.name || t('Passkey')}</span>
      <span class="text-13 text-soft">
        {rich('added {when}', {
          when: <RelativeTime at={new Date(passkey.createdAt).toISOString()} />,
        })}
      </span>
      <IconButton icon="trash-2" size="small" label={t('Remove this passkey')} onClick={onRemove} />
    </div>
  )
}

function RemoveDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const remove = async () => {
    await callAuth('passkey/delete-passkey', { id: passkey.id })
    await Promise.all([queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey }), reloadSession()])
  }
  return (
    <ConfirmDialog
      title={t('Remove this passkey?')}
      action={t('Remove the passkey')}
      onClose={onClose}
      onConfirm={remove}
    >
      <p>
        {t('“{name}” can no longer sign in here. It stays on the device until it is removed there.', {
          name: passkey.name || t('Passkey'),
        })}
      </p>
    </ConfirmDialog>
  )
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
