/** The test mail that operators send to themselves. */
import { renderMail } from './mail-content.ts'

export function createTestMail(publicUrl: string) {
  const { host } = new URL(publicUrl)
  return renderMail({
    subject: `Test mail of ${host}`,
    heading: 'Mail works',
    paragraphs: [
      `This mail was sent from the page Server of the dashboard at ${host}. Invitations, links for new passwords and notifications go the same way.`,
    ],
    action: { label: 'Open the dashboard', href: publicUrl },
    foot: ['You tested the mail server of this dashboard.'],
  })
}
