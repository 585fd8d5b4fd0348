;;; drive.el --- A person's first minutes with the package  -*- lexical-binding: t -*-

;;; Code:

(add-to-list 'load-path (getenv "PLIMSOLL_PACKAGE"))
(require 'plimsoll)

(setq make-backup-files nil
      custom-file (expand-file-name "custom.el" (getenv "HOME"))
      vc-handled-backends '(Git))

(defvar drive-seen nil "The kinds of what the server told.")
(add-hook 'plimsoll-update-functions
          (lambda (_project update) (push (intern (plist-get update :kind)) drive-seen)))

(defun drive-wait (what predicate)
  "Wait until PREDICATE holds; WHAT it tells."
  (let ((until (+ (float-time) 60)))
    (while (and (not (funcall predicate)) (< (float-time) until))
      (accept-process-output nil 0.02)
      (plimsoll--sync-all))
    (unless (funcall predicate)
      (error "It never came: %s\n%s" what (drive-chat)))))

(defun drive-project () (car (plimsoll-projects)))

(defun drive-chat ()
  (if (drive-project)
      (with-current-buffer (plimsoll-chat-buffer (drive-project))
        (buffer-substring-no-properties (point-min) (point-max)))
    ""))

(defun drive-says-p (text) (string-search text (drive-chat)))

(defun drive-say (text)
  "Type TEXT behind the prompt and send it."
  (with-current-buffer (plimsoll-chat-buffer (drive-project))
    (goto-char (point-max))
    (insert text)
    (plimsoll-chat-send)))

(defun drive-press (key)
  "Press KEY in this buffer."
  (call-interactively (key-binding (kbd key))))

(defun drive-answer (key)
  "Wait for a question, return all that it shows, and press KEY in its buffer."
  (drive-wait "a question" (lambda () plimsoll--questions))
  (with-current-buffer "*plimsoll: question*"
    (prog1 (concat header-line-format "\n" (buffer-string))
      (drive-press key))))

(defun drive-idle-p () (null (plimsoll-project-turn (drive-project))))

(defun drive-row (text)
  "Go to the row of the context list in which TEXT stands."
  (goto-char (point-min))
  (search-forward text)
  (beginning-of-line))

(defun drive-results ()
  "Return what the last two calls brought."
  (let* ((project (drive-project))
         (loaded (plimsoll-ask project "plimsoll/session/load"
                               (list :workspaceFolder (plimsoll-workspace project)
                                     :sessionId (plimsoll-project-session-id project))))
         (texts (cl-loop for message in (plist-get loaded :messages)
                         append (cl-loop for part in (plist-get message :parts)
                                         when (equal (plist-get part :type) "toolResult")
                                         collect (plist-get part :text)))))
    (last texts 2)))

(defun drive-bytes (name)
  "Return what stands in the file NAME of the project."
  (with-temp-buffer
    (insert-file-contents (expand-file-name name (plimsoll-project-root (drive-project))))
    (buffer-string)))

(defun drive-changes ()
  "Keep one change of two and undo the other; return what was shown and what came of it."
  (find-file-noselect "two.txt")
  (plimsoll--sync-all)
  (drive-say "two changes")
  (drive-answer "y")
  (drive-answer "y")
  (drive-wait "the word" (lambda () (drive-says-p "Changed.")))
  (drive-wait "its end" #'drive-idle-p)
  (with-current-buffer (plimsoll-chat-buffer (drive-project))
    (drive-press "C-c C-d"))
  (with-current-buffer "*plimsoll: changes*"
    (let ((shown (buffer-substring-no-properties (point-min) (point-max))))
      (drive-row "+EINS")
      (drive-press "k")
      (let ((kept (drive-bytes "two.txt")))
        (drive-row "+NEUN")
        (drive-press "u")
        (goto-char (point-min))
        (drive-row "+++ b/new.txt")
        (drive-press "u")
        (vector shown kept (drive-bytes "two.txt")
                (buffer-substring-no-properties (point-min) (point-max)))))))

(defun drive-plan ()
  "Change a plan before it is accepted; return what is pinned of it."
  (drive-say "plan it")
  (drive-answer "e")
  (with-current-buffer "*plimsoll: plan*"
    (goto-char (point-max))
    (insert "\n3. Look again")
    (drive-press "C-c C-c"))
  (drive-wait "the word" (lambda () (drive-says-p "Planned.")))
  (drive-wait "its end" #'drive-idle-p)
  (plist-get (car (plist-get (plimsoll-ask (drive-project) "plimsoll/pin/list"
                                           (plimsoll-of-session (drive-project)))
                             :pins))
             :text))

(defun drive-folder-in-folder ()
  "Open a folder in the one that is open; return what each server hears of a file there."
  (let* ((outer (drive-project))
         (told nil)
         (hear (lambda (project method &rest _)
                 (push (format "%s %s" (if (eq project outer) "outer" "inner") method) told))))
    (cl-letf (((symbol-function 'y-or-n-p) (lambda (_) t)))
      (find-file (expand-file-name "inner/file.txt" (plimsoll-project-root outer)))
      (plimsoll--sync-all)
      (plimsoll))
    (advice-add 'plimsoll--tell :before hear)
    (with-current-buffer (find-buffer-visiting
                          (expand-file-name "inner/file.txt" (plimsoll-project-root outer)))
      (insert "more")
      (plimsoll--sync-all)
      (save-buffer)
      (kill-buffer))
    (advice-remove 'plimsoll--tell hear)
    (vconcat (sort told #'string<))))

(defun drive ()
  (let (found)
    (cl-letf (((symbol-function 'y-or-n-p) (lambda (_) t)))
      (find-file (getenv "PLIMSOLL_FILE"))
      (insert "unsaved\n")
      (plimsoll))
    (drive-wait "the session" (lambda () (plimsoll-project-session-id (drive-project))))
    (drive-wait "the load line" (lambda () (plimsoll-project-meter (drive-project))))

    (drive-say "is it lost?")
    (drive-wait "an answer" (lambda () (drive-says-p "It is not there.")))
    (drive-wait "its end" #'drive-idle-p)

    (drive-say "write it down")
    (push (cons 'allowed (drive-answer "y")) found)
    (drive-wait "the word" (lambda () (drive-says-p "Written down.")))
    (drive-wait "its end" #'drive-idle-p)

    (drive-say "change it")
    (cl-letf (((symbol-function 'read-string) (lambda (&rest _) "Not today.")))
      (push (cons 'refused (drive-answer "r")) found))
    (drive-wait "the word" (lambda () (drive-says-p "So it stays.")))
    (drive-wait "its end" #'drive-idle-p)

    (drive-say "edit the open file")
    (drive-answer "y")
    (drive-wait "the word" (lambda () (drive-says-p "Edited.")))
    (drive-wait "its end" #'drive-idle-p)
    (push (cons 'edited (with-current-buffer (find-buffer-visiting (getenv "PLIMSOLL_FILE"))
                          (buffer-string)))
          found)

    (with-current-buffer (plimsoll-chat-buffer (drive-project)) (plimsoll-context))
    (with-current-buffer "*plimsoll: context*"
      (let ((before (plist-get (plimsoll-project-meter (drive-project)) :used)))
        (drive-row "long.txt")
        (drive-press "d")
        (push (cons 'removed (- before (plist-get (plimsoll-project-meter (drive-project)) :used)))
              found)
        (drive-press "u")
        (push (cons 'undone (- before (plist-get (plimsoll-project-meter (drive-project)) :used)))
              found)))

    (push (cons 'changes (drive-changes)) found)
    (push (cons 'plan (drive-plan)) found)

    (find-file "load.el")
    (flymake-mode 1)
    (drive-wait "flymake" (lambda () (flymake-diagnostics)))
    (drive-say "where is it used?")
    (drive-wait "the word" (lambda () (drive-says-p "Seen.")))
    (drive-wait "its end" #'drive-idle-p)
    (let ((results (drive-results)))
      (push (cons 'uses (nth 0 results)) found)
      (push (cons 'wrong (nth 1 results)) found))

    (drive-say "/pin The harbour is deep.")
    (drive-wait "the pin" (lambda () (drive-says-p "Pinned")))
    (drive-wait "its end" #'drive-idle-p)
    (push (cons 'line (substring-no-properties (plimsoll--mode-line))) found)

    (let ((chat (drive-chat)))
      (with-current-buffer (plimsoll-chat-buffer (drive-project)) (plimsoll-stop))
      (drive-wait "the end of the server" (lambda () (null (plimsoll-projects))))
      (with-current-buffer (find-buffer-visiting (getenv "PLIMSOLL_FILE")) (plimsoll))
      (drive-wait "the conversation" (lambda () (drive-says-p "Edited.")))
      (push (cons 'before chat) found)
      (push (cons 'after (drive-chat)) found))
    (push (cons 'folders (drive-folder-in-folder)) found)
    (push (cons 'seen (vconcat (delete-dups (mapcar #'symbol-name drive-seen)))) found)
    (princ (json-serialize found))))

(drive)
(kill-emacs 0)
;;; drive.el ends here
