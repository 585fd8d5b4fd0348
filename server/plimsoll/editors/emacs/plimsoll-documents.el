;;; plimsoll-documents.el --- Buffers and the files of the agent  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; What stands in a buffer is what the agent reads, saved or not, and what it changes of
;; a file that is open is an edit of the buffer, which can be undone.

;;; Code:

(require 'plimsoll-project)

(defvar-local plimsoll--version 0
  "How often this buffer was told to the server.")

(defvar-local plimsoll--changed nil
  "Whether this buffer has changed since it was told to the server.")

(defvar-local plimsoll--told-to nil
  "The projects whose servers were told of this buffer.
There are two where the folder of one lies in that of the other.")

(defun plimsoll-sync-documents (project)
  "Tell the server of PROJECT what has changed in the buffers of its files."
  (let ((synced (cl-remove-if-not #'buffer-live-p (plimsoll-project-synced project))))
    (dolist (buffer (buffer-list))
      (with-current-buffer buffer
        (when (plimsoll--belongs-p project)
          (cond
           ((not (memq buffer synced))
            (plimsoll--open-document project)
            (push buffer synced))
           (plimsoll--changed (plimsoll--change-document))))))
    (setf (plimsoll-project-synced project) synced)))

(defun plimsoll--belongs-p (project)
  "Tell whether this buffer shows a file of PROJECT."
  (and buffer-file-name
       (not (file-remote-p buffer-file-name))
       (string-prefix-p (plimsoll-project-root project) (file-truename buffer-file-name))))

(defun plimsoll--tell (project method params)
  "Tell the server of PROJECT METHOD with PARAMS."
  (plimsoll-rpc-notify (plimsoll-project-connection project) method params))

(defun plimsoll--text ()
  "Return the text of this buffer, narrowed or not."
  (save-restriction
    (widen)
    (buffer-substring-no-properties (point-min) (point-max))))

(defun plimsoll--document ()
  "Return what names the file of this buffer."
  (list :uri (plimsoll-uri (file-truename buffer-file-name)) :version plimsoll--version))

(defun plimsoll--open-document (project)
  "Tell the server of PROJECT that this buffer is open."
  (add-hook 'after-change-functions #'plimsoll--note-change nil t)
  (add-hook 'after-save-hook #'plimsoll--saved nil t)
  (add-hook 'kill-buffer-hook #'plimsoll--closed nil t)
  (when plimsoll--changed (plimsoll--change-document))
  (setq plimsoll--told-to (cons project (plimsoll--told-projects))
        plimsoll--changed nil)
  (plimsoll--tell project "textDocument/didOpen"
                  (list :textDocument
                        (append (plimsoll--document)
                                (list :languageId (string-remove-suffix
                                                   "-mode" (symbol-name major-mode))
                                      :text (plimsoll--text))))))

(defun plimsoll--told-projects ()
  "Return the projects that were told of this buffer and whose server runs."
  (cl-remove-if-not (lambda (project)
                      (plimsoll-rpc-live-p (plimsoll-project-connection project)))
                    plimsoll--told-to))

(defun plimsoll--tell-all (method params)
  "Tell METHOD with PARAMS each server that knows of this buffer."
  (dolist (project (plimsoll--told-projects))
    (plimsoll--tell project method params)))

(defun plimsoll--change-document ()
  "Tell the servers what stands in this buffer now."
  (setq plimsoll--changed nil)
  (cl-incf plimsoll--version)
  (plimsoll--tell-all "textDocument/didChange"
                      (list :textDocument (plimsoll--document)
                            :contentChanges (vector (list :text (plimsoll--text))))))

(defun plimsoll--note-change (&rest _)
  "Note that this buffer has changed."
  (setq plimsoll--changed t))

(defun plimsoll--saved ()
  "Tell the servers that this buffer was saved."
  (when plimsoll--changed (plimsoll--change-document))
  (plimsoll--tell-all "textDocument/didSave" (list :textDocument (plimsoll--document))))

(defun plimsoll--closed ()
  "Tell the servers that this buffer is open no more."
  (plimsoll--tell-all "textDocument/didClose" (list :textDocument (plimsoll--document))))

(defun plimsoll-apply-edit (project id params)
  "Make the change in PARAMS, which the server of PROJECT asks for by ID.
A document that has changed since, or a change of another kind, is refused
whole.  A buffer without unsaved changes is saved, so that what the agent runs
next sees it."
  (let* ((changes (plimsoll--changes (plist-get params :edit)))
         (why (cl-some #'plimsoll--why-not changes)))
    (unless why
      (dolist (change changes)
        (with-current-buffer (plimsoll--visit (plist-get change :uri))
          (let ((was-saved (not (buffer-modified-p))))
            (atomic-change-group
              (plimsoll--make-edits (plist-get change :edits)))
            (when was-saved
              (let ((save-silently t)) (save-buffer)))))))
    (plimsoll-sync-documents project)
    (plimsoll-rpc-answer (plimsoll-project-connection project) id
                         (if why
                             (list :applied :json-false :failureReason why)
                           (list :applied t)))))

(defun plimsoll--changes (edit)
  "Return the changes of EDIT, a list of plists with an uri, a version and edits."
  (if (plist-get edit :documentChanges)
      (mapcar (lambda (change)
                (let ((document (plist-get change :textDocument)))
                  (list :uri (plist-get document :uri)
                        :version (plist-get document :version)
                        :kind (plist-get change :kind)
                        :edits (plist-get change :edits))))
              (plist-get edit :documentChanges))
    (cl-loop for (uri edits) on (plist-get edit :changes) by #'cddr
             collect (list :uri (substring (symbol-name uri) 1) :edits edits))))

(defun plimsoll--why-not (change)
  "Return why CHANGE cannot be made, or nil."
  (let* ((uri (plist-get change :uri))
         (buffer (and uri (find-buffer-visiting (plimsoll-path uri))))
         (version (plist-get change :version)))
    (cond
     ((plist-get change :kind) "Emacs makes no such change of files")
     ((and buffer version
           (with-current-buffer buffer
             (or plimsoll--changed (/= version plimsoll--version))))
      (format "%s has changed since" (buffer-name buffer)))
     ((and buffer (buffer-local-value 'buffer-read-only buffer))
      (format "%s is read-only" (buffer-name buffer))))))

(defun plimsoll--visit (uri)
  "Return the buffer of the file URI, opened if need be."
  (let ((path (plimsoll-path uri)))
    (or (find-buffer-visiting path) (find-file-noselect path))))

(defun plimsoll--make-edits (edits)
  "Make EDITS in this buffer, each at the place that it had before the others."
  (save-restriction
    (widen)
    (let ((places (mapcar (lambda (edit)
                            (let ((range (plist-get edit :range)))
                              (list (plimsoll--position (plist-get range :start))
                                    (plimsoll--position (plist-get range :end))
                                    (plist-get edit :newText))))
                          edits)))
      (save-excursion
        ;; From the end on; of two at one place the later one first.
        (dolist (place (cl-stable-sort (reverse places) #'> :key #'car))
          (goto-char (nth 0 place))
          (delete-region (nth 0 place) (nth 1 place))
          (insert (nth 2 place)))))))

(defun plimsoll--position (position)
  "Return where POSITION, of a line and a character, is in this buffer."
  (save-excursion
    (goto-char (point-min))
    (let ((beyond (forward-line (plist-get position :line))))
      (if (or (> beyond 0) (and (eobp) (not (bolp))))
          (point-max)
        (min (+ (point) (plist-get position :character)) (line-end-position))))))

(provide 'plimsoll-documents)
;;; plimsoll-documents.el ends here
