import { useState } from 'preact/hooks'
import { callAuth } from '../../api/send.ts'
import { reloadSession, useUser } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { UnsavedGuard } from '../../app/unsaved.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'

export function ProfileSection() {
  const user = useUser()
  const [name, setName] = useState(user.name)
  const isDirty = name.trim() !== user.name
  const save = async () => {
    if (!isDirty) return
    await callAuth('update-user', { name: name.trim() })
    await reloadSession()
    toast({ kind: 'done', title: t('Name saved') })
  }
  return (
    <Section title={t('Profile')}>
      <UnsavedGuard isDirty={isDirty} warning={t('Your new name on this page will be lost.')} />
      <Form onSubmit={save}>
        {({ isBusy }) => (
          <>
            <TextField
              label={t('Name')}
              hint={t('Shown to others next to what you change.')}
              required
              maxLength={100}
              pattern=".*\S.*"
              autocomplete="name"
              value={name}
              onText={setName}
            />
            <TextField
              label={t('E-mail address')}
              hint={t('For signing in. It cannot be changed here.')}
              readOnly
              value={user.email}
            />
            {isDirty && (
              <Button type="submit" look="primary" isBusy={isBusy}>
                {t('Save')}
              </Button>
            )}
          </>
        )}
      </Form>
    </Section>
  )
}
