;;; plimsoll-changes.el --- What the agent changed, to keep or undo  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A diff of all that the agent of the session changed and the person has not decided on.
;; Each change, a file or all of it is kept or undone; what the person edited stays.

;;; Code:

(require 'diff-mode)
(require 'plimsoll-chat)
(require 'plimsoll-documents)

(defconst plimsoll-changes--context 3
  "The lines that are shown around a change.")

(defvar plimsoll-changes-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map diff-mode-shared-map)
    (define-key map "k" #'plimsoll-changes-keep)
    (define-key map "u" #'plimsoll-changes-undo)
    (define-key map "K" #'plimsoll-changes-keep-all)
    (define-key map "U" #'plimsoll-changes-undo-all)
    (define-key map "g" #'revert-buffer)
    (define-key map "q" #'quit-window)
    (define-key map (kbd "RET") #'plimsoll-changes-visit)
    map)
  "Keys of the changes.")

(define-derived-mode plimsoll-changes-mode diff-mode "Plimsoll-Changes"
  "What the agent changed and the person has not decided on.
\\{plimsoll-changes-mode-map}"
  ;; Else the keys of diff-mode for buffers that are read-only come first.
  (setq-local minor-mode-overriding-map-alist nil
              revert-buffer-function (lambda (&rest _) (plimsoll-changes--fill))
              header-line-format
              " k: keep   u: undo   K U: all   RET: the place   g: again   q: close")
  (setq buffer-read-only t))

;;;###autoload
(defun plimsoll-changes ()
  "Show what the agent changed, as a diff in which each change is kept or undone."
  (interactive)
  (let ((project (plimsoll-need-project)))
    (with-current-buffer (get-buffer-create "*plimsoll: changes*")
      (plimsoll-changes-mode)
      (setq plimsoll-buffer-project project
            default-directory (plimsoll-project-root project))
      (plimsoll-changes--fill)
      (pop-to-buffer (current-buffer)))))

(defun plimsoll-changes-update (project update)
  "Show the changes of PROJECT again where UPDATE says that there may be others."
  (let ((buffer (get-buffer "*plimsoll: changes*")))
    (when (and buffer
               (get-buffer-window buffer t)
               (eq project (buffer-local-value 'plimsoll-buffer-project buffer))
               (or (equal (plist-get update :status) "completed")
                   (member (plist-get update :kind) '("turnEnded" "notice" "sessionChanged" "gap"))))
      (plimsoll-request project "plimsoll/hunk/list" (plimsoll-of-session project)
                        (lambda (found)
                          (when (buffer-live-p buffer)
                            (with-current-buffer buffer (plimsoll-changes--show found))))))))

(defun plimsoll-changes--fill ()
  "Ask what the agent changed, and show it in this buffer."
  (plimsoll-changes--ask "plimsoll/hunk/list"))

(defun plimsoll-changes--ask (method &rest params)
  "Send METHOD with PARAMS, and show the changes that are left."
  (let ((project (plimsoll-need-project)))
    (plimsoll-sync-documents project)
    (let* ((found (plimsoll-ask project method (apply #'plimsoll-of-session project params)))
           (left (plist-get found :left)))
      (plimsoll-changes--show found)
      (dolist (file left)
        (message "Not undone in %s: %s" (plimsoll-changes--name (plist-get file :uri))
                 (plist-get file :why))))))

(defun plimsoll-changes--show (found)
  "Show the changes that the server FOUND, with point where it was."
  (let ((inhibit-read-only t)
        (files (plist-get found :files))
        (line (line-number-at-pos)))
    (erase-buffer)
    (if files
        (mapc #'plimsoll-changes--insert-file files)
      (insert "No change of the agent waits to be kept or undone.\n"))
    (goto-char (point-min))
    (forward-line (1- line))
    (plimsoll-changes--go-to-change)))

(defun plimsoll-changes--go-to-change ()
  "Go to the beginning of the change at point, of the last one behind the end."
  (when (eobp)
    (forward-line -1))
  (when (re-search-backward "^\\(?:@@\\|---\\) " nil t)
    (beginning-of-line)))

(defun plimsoll-changes--name (uri)
  "Return the file URI as it is named below the folder."
  (file-relative-name (plimsoll-path uri) default-directory))

(defun plimsoll-changes--lines (uri)
  "Return the lines of the file URI as its buffer has them, else the disk."
  (let* ((path (plimsoll-path uri))
         (buffer (find-buffer-visiting path)))
    (split-string
     (cond
      (buffer (with-current-buffer buffer (plimsoll--text)))
      ((file-readable-p path) (with-temp-buffer (insert-file-contents path) (buffer-string)))
      (t ""))
     "\n")))

(defun plimsoll-changes--insert-file (file)
  "Insert the changes of FILE as a diff."
  (let* ((uri (plist-get file :uri))
         (name (plimsoll-changes--name uri))
         (lines (vconcat (plimsoll-changes--lines uri)))
         (shift 0)
         (behind 0)
         (hunks (plist-get file :hunks)))
    (insert (propertize (format "--- a/%s\n+++ b/%s\n" name name)
                        'plimsoll-change (list :uri uri)))
    (while hunks
      (let* ((hunk (pop hunks))
             (end (plimsoll-changes--line-of hunk :end))
             (next (if hunks (plimsoll-changes--line-of (car hunks) :start)
                     (length lines))))
        (setq shift (+ shift (plimsoll-changes--insert-hunk
                              uri hunk lines (cons behind next) shift))
              behind end)))))

(defun plimsoll-changes--line-of (hunk side)
  "Return the line, from 0, of the SIDE of HUNK: `:start' or `:end'."
  (plist-get (plist-get (plist-get hunk :range) side) :line))

(defun plimsoll-changes--insert-hunk (uri hunk lines room shift)
  "Insert HUNK of the file URI, whose text now are LINES.
ROOM are the first and the last line between which it stands, SHIFT how many
lines the text before it is longer than it was.  Return how many lines longer
HUNK makes the text."
  (let* ((start (plimsoll-changes--line-of hunk :start))
         (end (plimsoll-changes--line-of hunk :end))
         (old (plimsoll-changes--old hunk))
         (from (max (car room) (- start plimsoll-changes--context)))
         (to (min (cdr room) (+ end plimsoll-changes--context) (1- (length lines))))
         (to (max to end))
         (rest (+ (- start from) (- to end)))
         (now (append lines nil))
         (prefixed (lambda (sign some)
                     (mapconcat (lambda (line) (concat sign line "\n")) some ""))))
    (insert
     (propertize
      (plimsoll-chat--visible
       (concat (format "@@ -%d,%d +%d,%d @@\n" (- (1+ from) shift) (+ rest (length old))
                       (1+ from) (+ rest (- end start)))
               (funcall prefixed " " (cl-subseq now from start))
               (funcall prefixed "-" old)
               (funcall prefixed "+" (cl-subseq now start end))
               (funcall prefixed " " (cl-subseq now end to))))
      'plimsoll-change (list :uri uri :id (plist-get hunk :id) :line (1+ start))))
    (- end start (length old))))

(defun plimsoll-changes--old (hunk)
  "Return the lines that stood where HUNK is."
  (let ((text (plist-get hunk :oldText)))
    (unless (string-empty-p text)
      (split-string (string-remove-suffix "\n" text) "\n"))))

(defun plimsoll-changes--here ()
  "Return the change at point, or the file on its first lines."
  (or (get-text-property (point) 'plimsoll-change)
      (user-error "There is no change here")))

(defun plimsoll-changes--decide (method)
  "Send METHOD for the change, or the file, at point."
  (let* ((change (plimsoll-changes--here))
         (id (plist-get change :id)))
    (apply #'plimsoll-changes--ask method :uri (plist-get change :uri)
           (and id (list :hunkIds (vector id))))))

(defun plimsoll-changes-keep ()
  "Keep the change at point, or all of the file on its first lines."
  (interactive)
  (plimsoll-changes--decide "plimsoll/hunk/keep"))

(defun plimsoll-changes-undo ()
  "Undo the change at point, or all of the file on its first lines."
  (interactive)
  (plimsoll-changes--decide "plimsoll/hunk/undo"))

(defun plimsoll-changes-keep-all ()
  "Keep all that the agent changed."
  (interactive)
  (plimsoll-changes--ask "plimsoll/hunk/keep"))

(defun plimsoll-changes-undo-all ()
  "Undo all that the agent changed; what the person edited stays."
  (interactive)
  (when (y-or-n-p "Undo all changes of the agent? What you have edited yourself stays ")
    (plimsoll-changes--ask "plimsoll/hunk/undo")))

(defun plimsoll-changes-visit ()
  "Go to the place of the change at point, in its file."
  (interactive)
  (let ((change (plimsoll-changes--here)))
    (find-file-other-window (plimsoll-path (plist-get change :uri)))
    (widen)
    (goto-char (point-min))
    (forward-line (1- (or (plist-get change :line) 1)))))

(provide 'plimsoll-changes)
;;; plimsoll-changes.el ends here
