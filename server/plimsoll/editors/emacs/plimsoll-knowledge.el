;;; plimsoll-knowledge.el --- What Emacs knows of the code  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The agent asks where something is defined and used, and what is wrong in a file.  The
;; answers are those of xref and flymake, whatever stands behind them.  What Emacs does not
;; know is refused: the server looks for itself then.

;;; Code:

(require 'flymake)
(require 'xref)
(require 'plimsoll-documents)

(defconst plimsoll-knowledge-handlers
  '(("plimsoll/editor/definition" . plimsoll--tell-definition)
    ("plimsoll/editor/references" . plimsoll--tell-references)
    ("plimsoll/editor/diagnostics" . plimsoll--tell-diagnostics))
  "The functions that answer what the server asks of the code.")

(defun plimsoll--tell-definition (project id params)
  "Answer for PROJECT by ID where that is defined of which PARAMS tell the place."
  (plimsoll--tell-places project id params #'xref-backend-definitions))

(defun plimsoll--tell-references (project id params)
  "Answer for PROJECT by ID where that is used of which PARAMS tell the place."
  (plimsoll--tell-places project id params #'xref-backend-references))

(defun plimsoll--tell-places (project id params look)
  "Answer for PROJECT by ID the places that LOOK finds for PARAMS."
  (condition-case problem
      (plimsoll-rpc-answer
       (plimsoll-project-connection project) id
       (list :locations (vconcat (mapcar #'plimsoll--location (plimsoll--look params look)))))
    (error
     (plimsoll-rpc-refuse (plimsoll-project-connection project) id -32803
                          (error-message-string problem)))))

(defun plimsoll--look (params look)
  "Return what LOOK of the backend finds for the place in PARAMS."
  (with-current-buffer (plimsoll--visit (plist-get params :uri))
    (save-excursion
      (save-restriction
        (widen)
        (goto-char (plimsoll--position (plist-get params :position)))
        (let ((backend (xref-find-backend)))
          ;; It would ask the person for a table of tags.
          (when (and (eq backend 'etags) (not (or tags-file-name tags-table-list)))
            (error "Emacs has no table of tags"))
          (funcall look backend (xref-backend-identifier-at-point backend)))))))

(defun plimsoll--location (found)
  "Return the place of FOUND, as xref has it."
  (let* ((place (xref-item-location found))
         (line (1- (or (xref-location-line place)
                       (with-current-buffer (marker-buffer (xref-location-marker place))
                         (line-number-at-pos (xref-location-marker place) t)))))
         (path (buffer-file-name (marker-buffer (xref-location-marker place)))))
    (list :uri (plimsoll-uri (file-truename path))
          :range (plimsoll--range line 0 line 0))))

(defun plimsoll--range (line from end-line to)
  "Return the range from FROM in LINE to TO in END-LINE, in characters."
  (list :start (list :line line :character from)
        :end (list :line end-line :character to)))

(defun plimsoll--tell-diagnostics (project id params)
  "Answer for PROJECT by ID what flymake says of the files in PARAMS."
  (let ((files (cl-loop for buffer in (plimsoll-project-synced project)
                        when (buffer-live-p buffer)
                        for told = (plimsoll--file-diagnostics buffer (plist-get params :uris))
                        when told collect told)))
    (if files
        (plimsoll-rpc-answer (plimsoll-project-connection project) id
                             (list :files (vconcat files)))
      (plimsoll-rpc-refuse (plimsoll-project-connection project) id -32803
                           "Emacs checks none of these files"))))

(defun plimsoll--file-diagnostics (buffer uris)
  "Return what flymake says of BUFFER if it is one of URIS, or of any file."
  (with-current-buffer buffer
    (let ((uri (plimsoll-uri (file-truename buffer-file-name))))
      (when (and (bound-and-true-p flymake-mode)
                 (or (null uris) (member uri uris)))
        (list :uri uri
              :diagnostics (vconcat (mapcar #'plimsoll--diagnostic (flymake-diagnostics))))))))

(defun plimsoll--diagnostic (found)
  "Return the diagnostic FOUND, of flymake, as the wire has it."
  (save-restriction
    (widen)
    (let ((from (flymake-diagnostic-beg found))
          (to (flymake-diagnostic-end found)))
      (list :range (plimsoll--range (1- (line-number-at-pos from))
                                    (plimsoll--column from)
                                    (1- (line-number-at-pos to))
                                    (plimsoll--column to))
            :severity (pcase (flymake-diagnostic-type found)
                        ((or :error 'eglot-error) 1)
                        ((or :warning 'eglot-warning) 2)
                        (_ 3))
            :message (flymake-diagnostic-text found)))))

(defun plimsoll--column (position)
  "Return the number of characters before POSITION in its line."
  (save-excursion
    (goto-char position)
    (- (point) (line-beginning-position))))

(provide 'plimsoll-knowledge)
;;; plimsoll-knowledge.el ends here
